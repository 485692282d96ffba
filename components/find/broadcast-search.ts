import type { OpenDocument } from '@/lib/client.ts'
import type { Finder } from '@/lib/text/finder.ts'
import { openSearchChannel, type LinkedSearch } from './search-channel.ts'

/** Tells the windows that show the text what this Find window looks for. Returns a function that ends it, and with it their marks. */
export function broadcastSearch(opened: OpenDocument, finder: Finder): () => void {
  const channel = openSearchChannel(opened)
  const broadcast = () => {
    const { query, current } = finder.get()
    channel.postMessage({ query, current } satisfies LinkedSearch)
  }
  const end = () => {
    const query = { ...finder.get().query, text: '' }
    channel.postMessage({ query, current: null } satisfies LinkedSearch)
  }
  channel.onmessage = ({ data }) => data === null && broadcast()
  const unsubscribe = finder.subscribe(broadcast)
  addEventListener('pagehide', end)
  addEventListener('pageshow', broadcast)
  return () => {
    removeEventListener('pagehide', end)
    removeEventListener('pageshow', broadcast)
    unsubscribe()
    end()
    channel.close()
  }
}
