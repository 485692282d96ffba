'use client'

import type { Editor } from '@tiptap/react'
import type { LucideIcon } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { shortcutText } from '@/components/ui/shortcut-text.ts'
import { closeSuggestion, type Suggestion } from './suggestion.ts'
import { placeBeside } from './place-beside.ts'

export interface SuggestedItem {
  /** Where several items may have one name. */
  readonly id?: string
  readonly name: string
  readonly keys?: string
  /** Stands at the end of its line. */
  readonly detail?: string
  readonly Icon: LucideIcon
}

interface SuggestionListProps<Item> {
  readonly editor: Editor
  readonly label: string
  readonly suggestion: Suggestion
  /** Not empty. */
  readonly items: readonly Item[]
  readonly onChoose: (item: Item) => void
}

/** A list beside the caret. The focus stays in the text, whose arrow keys, Enter and Escape act on the list. */
export function SuggestionList<Item extends SuggestedItem>({
  editor,
  label,
  suggestion,
  items,
  onChoose,
}: SuggestionListProps<Item>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const { query, sign } = suggestion
  const [{ at, ofQuery }, setActive] = useState({ at: 0, ofQuery: query })
  const active = ofQuery === query ? Math.min(at, items.length - 1) : 0
  const setAt = (next: number) => setActive({ at: (next + items.length) % items.length, ofQuery: query })
  useControlsAttributes(editor, id, `${id}-${active}`)
  useListKeys(editor, {
    ArrowDown: () => setAt(active + 1),
    ArrowUp: () => setAt(active - 1),
    Enter: () => onChoose(items[active]!),
    Tab: () => onChoose(items[active]!),
    Escape: () => editor.view.dispatch(closeSuggestion(editor.state.tr)),
  })
  const place = useEffectEvent(() => {
    if (list.current) placeBeside(list.current, editor.view.coordsAtPos(suggestion.from))
  })
  // What others write moves the text, and not the list under a finger. It moves with what the person types, or scrolls.
  useLayoutEffect(() => place(), [query, sign])
  useEffect(() => {
    const stop = new AbortController()
    addEventListener('scroll', () => place(), { capture: true, passive: true, signal: stop.signal })
    addEventListener('resize', () => place(), { signal: stop.signal })
    return () => stop.abort()
  }, [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return createPortal(
    <div data-screen-only>
      <div
        ref={list}
        id={id}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the text is the field, and has no tag for its list
        role="listbox"
        tabIndex={0}
        aria-label={label}
        // The text keeps the focus.
        onPointerDown={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
        className="fixed z-50 w-64 max-w-[calc(100vw-1rem)] overflow-y-auto overscroll-contain rounded-xl border border-line bg-raised p-1 shadow-float"
      >
        {items.map((item, index) => (
          <SuggestionOption
            key={item.id ?? item.name}
            id={`${id}-${index}`}
            item={item}
            isActive={index === active}
            onPoint={() => index !== active && setAt(index)}
            onChoose={() => onChoose(item)}
          />
        ))}
      </div>
    </div>,
    document.body,
  )
}

interface SuggestionOptionProps {
  readonly id: string
  readonly item: SuggestedItem
  readonly isActive: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}

const SuggestionOption = ({
  id,
  item: { name, keys, detail, Icon },
  isActive,
  onPoint,
  onChoose,
}: SuggestionOptionProps) => (
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the text has the focus and takes the keys
  <div
    id={id}
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as its list
    role="option"
    aria-selected={isActive}
    onPointerMove={onPoint}
    onClick={onChoose}
    className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm select-none aria-selected:bg-sunk"
  >
    <Icon size={17} aria-hidden className="shrink-0 text-muted" />
    <span className="min-w-0 flex-1 truncate">{name}</span>
    {detail && <span className="shrink-0 text-xs text-muted">{detail}</span>}
    {keys && <kbd className="font-sans text-xs text-muted max-sm:hidden">{shortcutText(keys)}</kbd>}
  </div>
)

/** Tells assistive technology which option the keys act on. */
function useControlsAttributes({ view }: Editor, listId: string, activeId: string): void {
  useEffect(() => {
    const { dom } = view
    dom.setAttribute('aria-controls', listId)
    dom.setAttribute('aria-autocomplete', 'list')
    dom.setAttribute('aria-haspopup', 'listbox')
    return () => {
      for (const name of ['aria-controls', 'aria-autocomplete', 'aria-haspopup']) dom.removeAttribute(name)
    }
  }, [view, listId])
  useEffect(() => {
    view.dom.setAttribute('aria-activedescendant', activeId)
    return () => view.dom.removeAttribute('aria-activedescendant')
  }, [view, activeId])
}

/** Takes these keys before the text does. */
function useListKeys({ view }: Editor, keys: Readonly<Record<string, () => void>>): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const act = keys[event.key]
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
    if (!act || hasModifier || event.isComposing) return
    event.preventDefault()
    event.stopImmediatePropagation()
    act()
  })
  // A key that comes as soon as the list is seen is for the list.
  useLayoutEffect(() => {
    const { dom } = view
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    dom.addEventListener('keydown', listener, { capture: true })
    return () => dom.removeEventListener('keydown', listener, { capture: true })
  }, [view])
}
