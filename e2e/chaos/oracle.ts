/**
 * What must hold of the text whatever happened: every edit is a token that its author wrote once, `a12;`.
 *
 *   said ──▶ saved ──▶ deleting ──▶ deleted        deleting also follows said; only an acknowledgement leads to saved and deleted
 */
import * as Y from 'yjs'

export type Fate = 'said' | 'saved' | 'deleting' | 'deleted'

/** One author's tokens, in the order of writing. */
export type Ledger = ReadonlyMap<string, Fate>

export const tokensOf = (doc: Y.Doc): string[] =>
  doc
    .getText('tokens')
    .toJSON()
    .match(/[^;]*;|[^;]+$/g) ?? []

/** How often a token may be in the text. */
const allowed: Record<Fate, readonly number[]> = {
  said: [0, 1],
  saved: [1],
  deleting: [0, 1],
  deleted: [0],
}

/** Everything that is wrong with the text, in words. */
export function complaints(doc: Y.Doc, ledgers: readonly Ledger[]): string[] {
  const tokens = tokensOf(doc)
  const known = new Set(ledgers.flatMap((ledger) => [...ledger.keys()]))
  const counts = new Map<string, number>()
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
  return [
    ...tokens.filter((token) => !known.has(token)).map((token) => `nobody wrote ${token}`),
    ...ledgers.flatMap((ledger) => wrongCounts(ledger, counts)),
    ...ledgers.flatMap((ledger) => disorder(ledger, tokens)),
    ...pending(doc),
  ]
}

export interface Count {
  readonly lost: number
  readonly doubled: number
}

/** Over several texts, of tokens that each of them should have once. */
export function countIn(docs: readonly Y.Doc[], ledgers: readonly Ledger[]): Count {
  const said = ledgers.flatMap((ledger) => [...ledger.keys()])
  const counts = docs.map((doc) => {
    const found = Map.groupBy(tokensOf(doc), (token) => token)
    const times = said.map((token) => found.get(token)?.length ?? 0)
    return {
      lost: times.filter((count) => count === 0).length,
      doubled: times.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
    }
  })
  return {
    lost: counts.reduce((sum, { lost }) => sum + lost, 0),
    doubled: counts.reduce((sum, { doubled }) => sum + doubled, 0),
  }
}

const wrongCounts = (ledger: Ledger, counts: ReadonlyMap<string, number>): string[] =>
  [...ledger].flatMap(([token, fate]) => {
    const count = counts.get(token) ?? 0
    return allowed[fate].includes(count) ? [] : [`${token} was ${fate} and is there ${count} times`]
  })

function disorder(ledger: Ledger, tokens: readonly string[]): string[] {
  const turns = new Map([...ledger.keys()].map((token, turn) => [token, turn]))
  const found = tokens.filter((token) => turns.has(token))
  const inOrder = found.every(
    (token, index) => index === 0 || turns.get(found[index - 1]!)! <= turns.get(token)!,
  )
  return inOrder ? [] : [`out of order: ${found.join('')}`]
}

const pending = ({ store }: Y.Doc): string[] =>
  store.pendingStructs || store.pendingDs ? ['structs are pending'] : []

/** State vectors, delete sets and texts. */
export const equal = (a: Y.Doc, b: Y.Doc): boolean =>
  Y.equalSnapshots(Y.snapshot(a), Y.snapshot(b)) &&
  a.getText('tokens').toJSON() === b.getText('tokens').toJSON()
