import { useMemo } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { startThread } from '@/lib/comments/edit-threads.ts'
import type { CommentAuthor, ThreadAnchor } from '@/lib/comments/stored-thread.ts'
import { threadAnchorOf } from '@/lib/comments/thread-anchor.ts'
import type { ProposedChange } from '@/lib/proposals/proposed-changes.ts'
import { linesOf } from '@/lib/text/lines.ts'
import { blockTextOf, textBlocksOf } from '@/lib/text/plain-text.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { useShownPeople } from '@/components/following/use-shown-people.ts'
import { CommentComposer } from '@/components/editor/menus/composer.tsx'
import { useLocatedThreads } from '@/components/panels/comments/use-threads.ts'
import { unknownUserId } from '@/components/profile/own-presence-user.ts'
import { proposalsStrings } from '@/lib/strings/proposals.ts'

interface ChangeCommentsProps {
  readonly change: ProposedChange
  readonly proposal: OpenDocument
  readonly commenter: CommentAuthor | null
  readonly isCommenting: boolean
  readonly onDone: () => void
}

/** What people say of a change: threads of the proposal, which stand in its panel Comments, too. */
export function ChangeComments({ change, proposal, commenter, isCommenting, onDone }: ChangeCommentsProps) {
  const threads = useLocatedThreads(proposal)
  const personOf = useShownPeople()
  const anchor = useMemo(() => anchorOf(change, proposal), [change, proposal])
  const own = threads.filter(({ thread }) => anchor && isAbout(thread.anchor, anchor))
  const send = (text: string) => {
    if (!anchor) throw new RangeError(proposalsStrings.change.nothingToComment)
    // The server accepts a comment only from the person who signs it.
    if (!commenter || commenter.id === unknownUserId) throw new RangeError(proposalsStrings.change.noName)
    startThread(proposal.comments.doc, anchor, commenter, text)
    onDone()
  }
  return (
    <>
      {own.length > 0 && (
        <ul className="flex flex-col gap-1 border-l-2 border-line pl-2">
          {own.flatMap(({ thread }) =>
            thread.messages.map((message) => (
              <li key={message.id} dir="auto" className="[overflow-wrap:anywhere]">
                <span className="font-medium">{personOf(message.author).name}</span> {message.text}
              </li>
            )),
          )}
        </ul>
      )}
      {isCommenting && (
        <CommentComposer
          label={proposalsStrings.change.commentLabel}
          sendLabel={proposalsStrings.change.send}
          onSend={send}
          onCancel={onDone}
        />
      )}
    </>
  )
}

/** The changed words of the proposal, or the line around them; of a block that it removes, the words that are gone. */
function anchorOf(change: ProposedChange, { doc }: OpenDocument): ThreadAnchor | null {
  const lines = linesOf(treeOf(doc.getXmlFragment('default')))
  const block = change.kind === 'words' ? change.block : (change.after ?? change.before)
  if (!block) return null
  const proposed = lines.blocks.findIndex(({ id }) => id === change.proposedBlock)
  const first = textBlocksOf([block])[0]
  const line = proposed === -1 ? lines.blocks.findIndex(({ id }) => id === first?.id) : proposed
  if (line === -1) return goneAnchorOf(blockTextOf(block))
  const { length } = lines.texts[line]!
  const [from, to] = change.kind === 'words' ? change.proposedRange : [0, length]
  const words = { from: { line, offset: from }, to: { line, offset: Math.min(to, length) } }
  return (
    threadAnchorOf(lines, words) ??
    threadAnchorOf(lines, { from: { line, offset: 0 }, to: { line, offset: length } }) ??
    null
  )
}

/** In UTF-16 units, as much as a list shows. */
const MAX_GONE_QUOTE = 200

const goneAnchorOf = (text: string): ThreadAnchor | null =>
  text.trim() === ''
    ? null
    : { from: '', to: '', quote: text.slice(0, MAX_GONE_QUOTE), before: '', after: '' }

const isAbout = (a: ThreadAnchor, b: ThreadAnchor): boolean =>
  a.quote === b.quote && a.from === b.from && a.to === b.to
