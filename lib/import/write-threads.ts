/** Writes comments of an import into their shared document, at their places in the text. */
import * as Y from 'yjs'
import { type CommentAuthor, storedThreadsOf, type ThreadAnchor } from '../comments/stored-thread.ts'
import { threadAnchorOf } from '../comments/thread-anchor.ts'
import type { JsonThread } from '../export/write-json.ts'
import { randomId } from '../protocol/ids.ts'
import { type LinePosition, linesOf, type TextLines } from '../text/lines.ts'
import { treeOf } from '../text/tree.ts'

/** Nobody's: who imports a comment has not written it, and may not change it as their own. */
const authorNamed = (name: string): CommentAuthor => ({ id: 'imported', name })

/** @param body The document that has the text already. */
export function writeThreads(comments: Y.Doc, body: Y.Doc, threads: readonly JsonThread[]): void {
  const lines = linesOf(treeOf(body.getXmlFragment('default')))
  const stored = storedThreadsOf(comments)
  for (const { range, quote, messages, resolved } of threads) {
    const list = messages.map(({ author, at, editedAt, text }) => ({
      id: randomId(),
      author: authorNamed(author),
      at: Date.parse(at),
      ...(editedAt !== undefined && { editedAt: Date.parse(editedAt) }),
      text,
    }))
    const found = range && isWithin(lines, range.from) && isWithin(lines, range.to)
    const anchor = (found && threadAnchorOf(lines, range)) || anchorOfQuote(quote)
    const entries = {
      anchor: { ...anchor },
      messages: Y.Array.from(list.map((message) => new Y.Map<unknown>(Object.entries(message)))),
      ...(resolved && {
        resolved: { by: authorNamed(resolved.by), at: Date.parse(resolved.at), after: list.at(-1)!.id },
      }),
    }
    stored.set(randomId(), new Y.Map<unknown>(Object.entries(entries)))
  }
}

const isWithin = ({ texts }: TextLines, { line, offset }: LinePosition): boolean =>
  line < texts.length && offset <= texts[line]!.length

const anchorOfQuote = (quote: string): ThreadAnchor => ({ from: '', to: '', quote, before: '', after: '' })
