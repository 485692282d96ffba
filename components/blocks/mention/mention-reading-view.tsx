'use client'

import { useContext, useSyncExternalStore } from 'react'
import { FollowingContext, useGoTo } from '@/components/following/following-context.ts'
import { mentionOf, mentionText } from '@/lib/blocks/mention/mention.ts'
import type { ReadingView } from '../reading-view.ts'
import { mentionNamesOf } from './mention-names.ts'
import { openMention } from './open-mention.ts'

const subscribeToNothing = () => () => {}

export const MentionReadingView: ReadingView = ({ block, elementRef }) => {
  const context = useContext(FollowingContext)
  const goTo = useGoTo()
  const names = context && mentionNamesOf(context)
  const mention = mentionOf(block.attributes)
  const read = () => names?.nameOf(mention) ?? mention.label
  const label = useSyncExternalStore(names?.subscribe ?? subscribeToNothing, read, () => mention.label)
  const { kind, id } = mention
  const fields = { ref: elementRef, className: 'mention', 'data-mention': kind }
  const letters = mentionText({ kind, label })
  if (!context || id === null) return <span {...fields}>{letters}</span>
  const open = () => openMention(mention, label, context, (caret) => goTo(caret, { within: true }))
  return (
    <span
      {...fields}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as the editor draws it
      role="link"
      tabIndex={0}
      onClick={open}
      onKeyDown={({ key }) => key === 'Enter' && open()}
    >
      {letters}
    </span>
  )
}
