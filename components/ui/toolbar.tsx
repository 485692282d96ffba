'use client'

import {
  createContext,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
} from 'react'

/** The id of the button that Tab reaches. */
const TabStopContext = createContext('')

/** A row of buttons that is one tab stop: arrow keys move within it, from the last to the first, and the button they reached stays it. */
export function Toolbar({ onKeyDown, ...rest }: ComponentProps<'div'>) {
  const toolbar = useRef<HTMLDivElement>(null)
  const [tabStop, setTabStop] = useState('')
  const listButtons = (): HTMLButtonElement[] =>
    [...(toolbar.current?.querySelectorAll('button') ?? [])].filter((button) => button.checkVisibility())
  useLayoutEffect(() => setTabStop(toolbar.current?.querySelector('button')?.id ?? ''), [])
  // React also reports what happens in a menu that a button opened, which is elsewhere in the page.
  const findButton = ({ target }: { target: EventTarget }) =>
    listButtons().find((button) => button === target)
  const onFocus = (event: FocusEvent) => {
    const button = findButton(event)
    if (button) setTabStop(button.id)
  }
  const moveFocus = (event: KeyboardEvent) => {
    const button = findButton(event)
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!button || !direction || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const buttons = listButtons()
    buttons.at((buttons.indexOf(button) + direction) % buttons.length)?.focus()
  }
  return (
    <TabStopContext value={tabStop}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its buttons take the focus */}
      <div
        {...rest}
        ref={toolbar}
        role="toolbar"
        aria-orientation="horizontal"
        onFocus={onFocus}
        onKeyDown={(event) => {
          moveFocus(event)
          onKeyDown?.(event)
        }}
      />
    </TabStopContext>
  )
}

/** A disabled button keeps its place in the toolbar, and its hint. */
export function ToolbarButton({ disabled = false, onClick, ...rest }: ComponentProps<'button'>) {
  const id = useId()
  const isTabStop = useContext(TabStopContext) === id
  return (
    <button
      type="button"
      {...rest}
      id={id}
      tabIndex={isTabStop ? 0 : -1}
      {...(disabled ? { 'aria-disabled': true } : { onClick })}
    />
  )
}
