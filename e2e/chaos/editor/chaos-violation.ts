import type { Node } from '@tiptap/pm/model'

/** What a run found wrong: the kind is what stays the same while its script is shortened. */
export class ChaosViolation extends Error {
  readonly kind: string

  constructor(kind: string, details: string) {
    super(`${kind}: ${details}`)
    this.kind = kind
  }
}

/** The stretch in which the two begin to differ. */
export function differenceOf(shown: Node, reading: Node): string {
  const [a, b] = [shown, reading].map((node) => JSON.stringify(node.toJSON()))
  let at = 0
  while (at < a!.length && a![at] === b![at]) at++
  const [shownPart, readPart] = [a, b].map((text) => text!.slice(Math.max(0, at - 80), at + 160))
  return `shown …${shownPart}… and stored …${readPart}…`
}

export const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack?.split('\n').slice(0, 6).join('\n') ?? error.message) : String(error)
