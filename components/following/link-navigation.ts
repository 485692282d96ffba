/**
 * Goes where links to positions of the document lead: the one in the page's address, and those that are clicked. A click makes a step of
 * the browser's history, and going back leads to where the text stood before it. Knows no React.
 */
import type { OpenDocument } from '@/lib/client.ts'
import {
  findLinkedPosition,
  type PositionLink,
  readPositionHash,
  readPositionLink,
} from '@/lib/following/position-link.ts'
import { watchTree } from '@/lib/text/tree.ts'
import { toast } from '@/components/ui/toast.ts'
import { clickedLink } from './clicked-link.ts'
import type { LoadedFollowing } from './following-context.ts'
import { followingStrings } from '@/lib/strings/following.ts'

/** The key in a step of the history under which stands what was at the top of the text. */
const topKey = 'diptychTop'

/** The fragment of the address that this page has followed: it is followed once, whoever the person turns out to be. */
let followedHash = ''

/** Returns a function that stops it. */
export function startLinkNavigation(context: LoadedFollowing, opened: OpenDocument): () => void {
  const stop = new AbortController()
  const { signal } = stop
  let cancelWait = () => {}
  const follow = (link: PositionLink | null) => {
    cancelWait()
    cancelWait = link ? goOnceThere(context, opened, link) : () => {}
  }
  if (location.hash !== followedHash) follow(readPositionHash(location.hash))
  const onClick = (event: MouseEvent) => {
    const anchor = clickedLink(event, context.document)
    const link = anchor && readPositionLink(anchor.href, context.document, location.origin)
    if (!link) return
    event.preventDefault()
    addHistoryStep(context, anchor.hash)
    follow(link)
  }
  const onHistoryStep = ({ state }: PopStateEvent) => {
    const top: unknown = (state as Record<string, unknown> | null)?.[topKey]
    if (typeof top === 'string') context.following.goTo({ at: top })
    else follow(readPositionHash(location.hash))
  }
  addEventListener('click', onClick, { signal })
  addEventListener('popstate', onHistoryStep, { signal })
  signal.addEventListener('abort', () => cancelWait())
  return () => stop.abort()
}

function addHistoryStep({ following }: LoadedFollowing, hash: string): void {
  const at = following.readTop()?.at
  const { pathname, search } = location
  if (at !== undefined) history.replaceState({ ...history.state, [topKey]: at }, '')
  history.pushState(null, '', pathname + search + hash)
}

/**
 * Goes to a position as soon as the text holds it: what an address leads to may be on its way when the page opens. Says so once all of the
 * text is there without it. Returns a function that stops waiting.
 */
function goOnceThere(
  { following, fragment }: LoadedFollowing,
  opened: OpenDocument,
  link: PositionLink,
): () => void {
  const tryToGo = (): boolean => {
    const position = findLinkedPosition(fragment, link)
    if (position) {
      following.goTo(position)
      followedHash = location.hash
    }
    return position !== null
  }
  if (tryToGo()) return () => {}
  let isWaiting = true
  const stop = () => {
    isWaiting = false
    stopWatching()
  }
  const stopWatching = watchTree(fragment, () => {
    if (isWaiting && tryToGo()) stop()
  })
  const giveUp = () => {
    if (!isWaiting) return
    stop()
    if (!tryToGo()) toast(followingStrings.linkGone(link.heading), { id: 'link-gone' })
  }
  opened.whenSynced.then(giveUp, () => {})
  return stop
}
