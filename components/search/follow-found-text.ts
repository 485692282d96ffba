/** Has Find look for the letters that the address names, once the text has them or all of the text is there. */
import type { OpenDocument } from '@/lib/client.ts'
import { blocksTextOf } from '@/lib/text/plain-text.ts'
import { treeOf, watchTree } from '@/lib/text/tree.ts'
import { dispatchPanelCommand } from '@/components/panels/dispatch-panel-command.ts'
import { readFindHash } from './found-text.ts'

/** @param stop Ends the wait. */
export function followFoundText({ doc, whenSynced }: OpenDocument, stop: AbortController): void {
  const text = readFindHash(location.hash)
  if (text === '' || stop.signal.aborted) return
  const fragment = doc.getXmlFragment('default')
  const find = () => {
    if (stop.signal.aborted) return
    stop.abort()
    // Once: somebody who reloads the page is elsewhere by then.
    history.replaceState(history.state, '', location.pathname + location.search)
    dispatchPanelCommand({ panel: 'find', text })
  }
  const look = (): void => {
    if (blocksTextOf(treeOf(fragment)).toLowerCase().includes(text.toLowerCase())) find()
  }
  stop.signal.addEventListener('abort', watchTree(fragment, look))
  look()
  whenSynced.then(find, () => {})
}
