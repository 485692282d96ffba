/** Goes to the letters that the address names: Find looks for them in the text, and where only a comment has them, that is shown. */
import type { OpenDocument } from '@/lib/client.ts'
import { threadStoreOf } from '@/lib/comments/thread-store.ts'
import { blocksTextOf } from '@/lib/text/plain-text.ts'
import { treeOf, watchTree } from '@/lib/text/tree.ts'
import { showThread } from '@/components/editor/highlights/show-thread.ts'
import { dispatchPanelCommand } from '@/components/commands/dispatch-panel-command.ts'
import { readFindHash } from './found-text.ts'

/** @param stop Ends the wait. */
export function followFoundText(opened: OpenDocument, stop: AbortController): void {
  const { doc, whenSynced } = opened
  const text = readFindHash(location.hash)
  if (text === '' || stop.signal.aborted) return
  const fragment = doc.getXmlFragment('default')
  const isInText = () => hasLetters(blocksTextOf(treeOf(fragment)), text)
  const end = (goThere: () => void) => {
    if (stop.signal.aborted) return
    stop.abort()
    // Once: somebody who reloads the page is elsewhere by then.
    history.replaceState(history.state, '', location.pathname + location.search)
    goThere()
  }
  const find = () => end(() => dispatchPanelCommand({ panel: 'find', text }))
  const look = () => {
    if (isInText()) find()
  }
  stop.signal.addEventListener('abort', watchTree(fragment, look))
  look()
  whenSynced
    .then(async () => {
      if (isInText()) return find()
      const thread = await findThread(opened, text)
      if (thread === undefined) find()
      else end(() => showThread(opened, thread))
    })
    .catch(() => {})
}

const hasLetters = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())

async function findThread({ comments }: OpenDocument, text: string): Promise<string | undefined> {
  await comments.whenSynced
  const threads = threadStoreOf(comments.doc).get()
  return threads.find(({ messages }) => messages.some((message) => hasLetters(message.text, text)))?.id
}
