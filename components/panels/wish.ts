/** Brings wishes to panels of this window. Knows no panel and no other window. */
import type { Wish } from '@/lib/windows/wish.ts'

type Wanted<Panel extends Wish['panel']> = Extract<Wish, { panel: Panel }>
type Listener = (wish: Wish) => void

const waiting = new Map<Wish['panel'], Wish>()
const panels = new Map<Wish['panel'], Listener>()
let unheard: Listener | undefined

/** The latest one of a panel counts. */
export function wish(wanted: Wish): void {
  const hear = panels.get(wanted.panel)
  if (hear) return hear(wanted)
  waiting.set(wanted.panel, wanted)
  unheard?.(wanted)
}

/** It was passed on: a panel that comes is not to do it once more. */
export const withdraw = ({ panel }: Wish): void => void waiting.delete(panel)

/** For the panel: hears of what it missed at once. Returns its undo. */
export function onWish<Panel extends Wish['panel']>(
  panel: Panel,
  listener: (wanted: Wanted<Panel>) => void,
): () => void {
  const hear: Listener = (wanted) => listener(wanted as Wanted<Panel>)
  panels.set(panel, hear)
  const missed = waiting.get(panel)
  waiting.delete(panel)
  if (missed) hear(missed)
  return () => {
    if (panels.get(panel) === hear) panels.delete(panel)
  }
}

/** For the window: hears of wishes whose panel is not here. Returns its undo. */
export function onUnheardWish(listener: Listener): () => void {
  unheard = listener
  return () => {
    if (unheard === listener) unheard = undefined
  }
}
