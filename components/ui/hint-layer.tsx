'use client'

import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** How long the pointer rests on an element before its hint appears, in ms. */
const SHOW_DELAY_MS = 350

/** How long a person has to move the pointer from the element to its hint, in ms. */
const HIDE_DELAY_MS = 120

const GAP = 6
const MARGIN = 8

interface ShownHint {
  readonly text: string
  readonly keys: string | undefined
  readonly anchor: DOMRect
}

const hintedElementOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-hint]') : null

/** One layer for the page: all hints appear here, one at a time. It is small on purpose, because every page loads it. */
export function HintLayer() {
  const [shown, setShown] = useState<ShownHint | null>(null)
  useEffect(() => watchHints(setShown), [])
  return shown && <HintTip {...shown} />
}

function HintTip({ text, keys, anchor }: ShownHint) {
  const tip = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = tip.current
    if (!element) return
    // The top layer is above dialogs.
    element.showPopover()
    placeTip(element, anchor)
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

function placeTip(element: HTMLElement, anchor: DOMRect): void {
  const { width, height } = element.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const left = anchor.left + (anchor.width - width) / 2
  const below = anchor.bottom + GAP
  const top = below + height + MARGIN > clientHeight ? anchor.top - GAP - height : below
  element.style.left = `${Math.max(MARGIN, Math.min(left, clientWidth - MARGIN - width))}px`
  element.style.top = `${Math.max(MARGIN, top)}px`
}

/** Returns a function that stops it. */
function watchHints(show: (shown: ShownHint | null) => void): () => void {
  let hinted: HTMLElement | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let isShown = false
  const runAfter = (ms: number, run: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(run, ms)
  }
  const open = (element: HTMLElement) => {
    if (!element.isConnected) return
    const { hint = '', hintKeys } = element.dataset
    isShown = true
    show({ text: hint, keys: hintKeys, anchor: element.getBoundingClientRect() })
  }
  const close = () => {
    clearTimeout(timer)
    hinted = null
    if (isShown) show(null)
    isShown = false
  }
  const onPointerOver = ({ target, pointerType }: PointerEvent) => {
    const element = hintedElementOf(target)
    const isOnTip = target instanceof Element && target.closest('[data-hint-layer]')
    if (pointerType !== 'mouse' || element === hinted) return
    if (isOnTip) return clearTimeout(timer)
    hinted = element
    if (element) runAfter(SHOW_DELAY_MS, () => open(element))
    else runAfter(HIDE_DELAY_MS, close)
  }
  const onFocusIn = ({ target }: FocusEvent) => {
    const element = hintedElementOf(target)
    if (element?.matches(':focus-visible')) open(element)
  }
  const abortController = new AbortController()
  const passive = { signal: abortController.signal, passive: true, capture: true }
  addEventListener('pointerover', onPointerOver, passive)
  addEventListener('focusin', onFocusIn, passive)
  for (const eventName of ['pointerdown', 'keydown', 'focusout', 'scroll', 'blur'] as const)
    addEventListener(eventName, close, passive)
  return () => {
    abortController.abort()
    clearTimeout(timer)
  }
}
