'use client'

import type { Editor } from '@tiptap/react'
import { mentionContextOf } from '@/components/blocks/mention/mention-context.ts'
import type { MentionContext } from '@/components/blocks/mention/mention-names.ts'
import { mentionListStrings } from '@/lib/strings/mention-list.ts'
import { runAsStep } from '@/components/binding/run-as-step.ts'
import { SuggestionList } from './suggestion-list.tsx'
import type { Suggestion } from './suggestion.ts'
import { type MentionItem, useMentionItems } from './use-mention-items.ts'

interface MentionMenuProps {
  readonly editor: Editor
  readonly suggestion: Suggestion
}

/** The list of people, documents and dates that `@` opens. */
export function MentionMenu(props: MentionMenuProps) {
  const context = mentionContextOf(props.editor.state)
  return context && <MentionList {...props} context={context} />
}

function MentionList({ editor, suggestion, context }: MentionMenuProps & { context: MentionContext }) {
  const items = useMentionItems(context, suggestion.query)
  return (
    <>
      <output className="sr-only">{items.length > 0 && mentionListStrings.list.count(items.length)}</output>
      {items.length > 0 && (
        <SuggestionList
          editor={editor}
          label={mentionListStrings.list.label}
          suggestion={suggestion}
          items={items}
          onChoose={(item) => insertItem(editor, suggestion, item)}
        />
      )}
    </>
  )
}

/** It takes the place of what was typed, in one step, with its marks, and a space behind it. */
const insertItem = (editor: Editor, { from, to }: Suggestion, { node }: MentionItem): void =>
  runAsStep(editor, () =>
    editor
      .chain()
      .focus()
      .command(({ tr, state: { schema } }) => {
        const marks = tr.doc.nodeAt(from)?.marks ?? []
        const $to = tr.doc.resolve(to)
        const hasSpace = /^\s/.test(
          $to.parent.textBetween($to.parentOffset, $to.parent.content.size, null, ' '),
        )
        tr.replaceWith(from, to, [
          schema.nodes[node.type]!.create(node.attrs, null, marks),
          ...(hasSpace ? [] : [schema.text(' ', marks)]),
        ])
        return true
      })
      .run(),
  )
