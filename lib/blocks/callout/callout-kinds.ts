import type { StoredAttributes } from '../definitions.ts'

export const calloutKinds = ['note', 'tip', 'important', 'warning'] as const

export type CalloutKind = (typeof calloutKinds)[number]

/** Any other value is a note. */
export const calloutKindOf = ({ kind }: StoredAttributes): CalloutKind =>
  calloutKinds.find((known) => known === kind) ?? 'note'

/** The word on a callout. */
export const calloutNames: Readonly<Record<CalloutKind, string>> = {
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
}

/** GitHub's word for a kind, in any case; null for a word that names none. GitHub has a fifth, which looks like a warning. */
export function calloutKindNamed(word: string): CalloutKind | null {
  const name = word.toLowerCase()
  return name === 'caution' ? 'warning' : (calloutKinds.find((kind) => kind === name) ?? null)
}
