'use client'

import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** How long the pointer rests on a thing before it is explained, in ms. */
const REST_MS = 350

/** Time to move the pointer from the thing to its hint, in ms. */
const LEAVE_MS = 120

const GAP = 6
const MARGIN = 8

interface Shown {
  readonly text: string
  readonly keys: string | undefined
  readonly anchor: DOMRect
}

const hintedBy = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-hint]') : null

/** One for the page: all hints show here, one at a time. Small on purpose, since every page pays for it. */
export function HintLayer() {
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => watch(setShown), [])
  return shown && <Tip {...shown} />
}

function Tip({ text, keys, anchor }: Shown) {
  const tip = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = tip.current
    if (!element) return
    // In the top layer, over dialogs.
    element.showPopover()
    place(element, anchor)
  }, [text, keys, anchor])
  return (
    <div
      ref={tip}
      popover="manual"
      aria-hidden
      data-hint-layer
      className="fixed inset-auto m-0 max-w-72 rounded-md bg-ink px-2 py-1 text-[0.8125rem] text-paper"
    >
      {text}
      {keys && <kbd className="ml-2 font-sans text-xs whitespace-nowrap opacity-75">{keys}</kbd>}
    </div>
  )
}

function place(element: HTMLElement, anchor: DOMRect): void {
  const { width, height } = element.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const left = anchor.left + (anchor.width - width) / 2
  const below = anchor.bottom + GAP
  const top = below + height + MARGIN > clientHeight ? anchor.top - GAP - height : below
  element.style.left = `${Math.max(MARGIN, Math.min(left, clientWidth - MARGIN - width))}px`
  element.style.top = `${Math.max(MARGIN, top)}px`
}

/** Returns its undo. */
function watch(show: (shown: Shown | null) => void): () => void {
  let on: HTMLElement | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = (ms: number, run: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(run, ms)
  }
  const open = (element: HTMLElement) => {
    if (!element.isConnected) return
    const { hint = '', hintKeys } = element.dataset
    show({ text: hint, keys: hintKeys, anchor: element.getBoundingClientRect() })
  }
  const close = () => {
    clearTimeout(timer)
    on = null
    show(null)
  }
  const over = ({ target, pointerType }: PointerEvent) => {
    const element = hintedBy(target)
    const isOnTip = target instanceof Element && target.closest('[data-hint-layer]')
    if (pointerType !== 'mouse' || element === on) return
    if (isOnTip) return clearTimeout(timer)
    on = element
    if (element) soon(REST_MS, () => open(element))
    else soon(LEAVE_MS, close)
  }
  const focus = ({ target }: FocusEvent) => {
    const element = hintedBy(target)
    if (element?.matches(':focus-visible')) open(element)
  }
  const stop = new AbortController()
  const passive = { signal: stop.signal, passive: true, capture: true }
  addEventListener('pointerover', over, passive)
  addEventListener('focusin', focus, passive)
  for (const end of ['pointerdown', 'keydown', 'focusout', 'scroll', 'blur'] as const)
    addEventListener(end, close, passive)
  return () => {
    stop.abort()
    clearTimeout(timer)
  }
}
