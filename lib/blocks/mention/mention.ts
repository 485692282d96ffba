/**
 * Names a person or a document. It is stored by an id, with the name that was shown then: whoever may not know the present one reads that.
 * Anybody with write access may have written both.
 */
import { isDocumentId } from '../../protocol/ids.ts'
import { plainName } from '../../protocol/link-caller.ts'
import { mentionsStrings } from '../../strings/mentions.ts'
import type { NodeDefinition, StoredAttributes } from '../definitions.ts'

const mentionKinds = ['person', 'document'] as const

export type MentionKind = (typeof mentionKinds)[number]

export interface Mention {
  readonly kind: MentionKind
  /** Null where it is no id, and leads to nothing. */
  readonly id: string | null
  /** Not empty. */
  readonly label: string
}

/** In characters. */
const MAX_LABEL = 100

/** Of a person with a session. Whoever comes by a link alone shares an id with others. */
export const isPersonId = (id: unknown): id is string =>
  typeof id === 'string' && /^user:[\w-]{1,50}$/.test(id)

export function mentionOf({ kind: stored, id, label }: StoredAttributes): Mention {
  const kind = mentionKinds.find((known) => known === stored) ?? 'person'
  const isId = kind === 'person' ? isPersonId(id) : typeof id === 'string' && isDocumentId(id)
  return { kind, id: isId ? (id as string) : null, label: labelOf(label) }
}

/** One line, which does not change the direction of what is beside it. */
function labelOf(label: unknown): string {
  const name = typeof label === 'string' ? plainName(label.slice(0, 4 * MAX_LABEL).toWellFormed()) : ''
  return (
    Array.from(name.replaceAll(/\p{Cc}/gu, ''))
      .slice(0, MAX_LABEL)
      .join('')
      .trim() || mentionsStrings.unknown
  )
}

export const mentionText = ({ kind, label }: Pick<Mention, 'kind' | 'label'>): string =>
  kind === 'person' ? `@${label}` : label

export const mention: NodeDefinition = {
  name: 'mention',
  schema: {
    inline: true,
    group: 'inline',
    atom: true,
    attrs: { kind: { default: 'person' }, id: { default: null }, label: { default: null } },
    parseDOM: [
      {
        tag: 'span[data-mention]',
        getAttrs: ({ dataset, textContent }) => ({
          ...mentionOf({
            kind: dataset['mention'],
            id: dataset['id'],
            label: dataset['mention'] === 'document' ? textContent : textContent.replace(/^@/, ''),
          }),
        }),
      },
    ],
    toDOM({ attrs }) {
      const shown = mentionOf(attrs)
      const fields = {
        class: 'mention',
        'data-mention': shown.kind,
        ...(shown.id && { 'data-id': shown.id }),
      }
      return ['span', fields, mentionText(shown)]
    },
  },
  strings: { kind: () => 'mention' },
  text: '\uFFFC',
  letters: (attributes) => mentionText(mentionOf(attributes)),
}
