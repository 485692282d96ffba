/** What a person asked for outside of a panel that the panel is to do, as soon as it is there. Knows no panel and no window. */
export type Wish =
  { readonly panel: 'find'; readonly text: string } | { readonly panel: 'comments'; readonly thread: string }

type Wanted<Panel extends Wish['panel']> = Extract<Wish, { panel: Panel }>
type Listener = (wish: Wish) => void

const waiting = new Map<Wish['panel'], Wish>()
const listeners = new Map<Wish['panel'], Listener>()

/** The latest one counts. */
export function wish(wanted: Wish): void {
  const listener = listeners.get(wanted.panel)
  if (listener) listener(wanted)
  else waiting.set(wanted.panel, wanted)
}

/** For the panel: hears of what it missed at once. Returns its undo. */
export function onWish<Panel extends Wish['panel']>(
  panel: Panel,
  listener: (wanted: Wanted<Panel>) => void,
): () => void {
  const hear: Listener = (wanted) => listener(wanted as Wanted<Panel>)
  listeners.set(panel, hear)
  const missed = waiting.get(panel)
  waiting.delete(panel)
  if (missed) hear(missed)
  return () => {
    if (listeners.get(panel) === hear) listeners.delete(panel)
  }
}
