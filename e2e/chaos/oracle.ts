/**
 * Checks what must hold for the text after any fault: every edit is a token that its author wrote once, `a12;`.
 *
 *   said ──▶ saved ──▶ deleting ──▶ deleted        deleting also follows said; only an acknowledgement leads to saved and deleted
 */
import * as Y from 'yjs'

export type TokenState = 'said' | 'saved' | 'deleting' | 'deleted'

/** The tokens of one author, in the order of writing. */
export type TokenLedger = ReadonlyMap<string, TokenState>

export const tokensOf = (doc: Y.Doc): string[] =>
  doc
    .getText('tokens')
    .toJSON()
    .match(/[^;]*;|[^;]+$/g) ?? []

/** How often a token may occur in the text. */
const allowedCounts: Record<TokenState, readonly number[]> = {
  said: [0, 1],
  saved: [1],
  deleting: [0, 1],
  deleted: [0],
}

/** Returns everything that is wrong with the text, in words. */
export function findViolations(doc: Y.Doc, ledgers: readonly TokenLedger[]): string[] {
  const tokens = tokensOf(doc)
  const writtenTokens = new Set(ledgers.flatMap((ledger) => [...ledger.keys()]))
  const counts = new Map<string, number>()
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
  return [
    ...tokens.filter((token) => !writtenTokens.has(token)).map((token) => `nobody wrote ${token}`),
    ...ledgers.flatMap((ledger) => countViolations(ledger, counts)),
    ...ledgers.flatMap((ledger) => orderViolations(ledger, tokens)),
    ...pendingViolations(doc),
  ]
}

export interface TokenLosses {
  readonly lost: number
  readonly doubled: number
}

/** Counts over several texts the tokens that each of them should have once. */
export function countLosses(docs: readonly Y.Doc[], ledgers: readonly TokenLedger[]): TokenLosses {
  const writtenTokens = ledgers.flatMap((ledger) => [...ledger.keys()])
  const counts = docs.map((doc) => {
    const tokensFound = Map.groupBy(tokensOf(doc), (token) => token)
    const times = writtenTokens.map((token) => tokensFound.get(token)?.length ?? 0)
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

const countViolations = (ledger: TokenLedger, counts: ReadonlyMap<string, number>): string[] =>
  [...ledger].flatMap(([token, state]) => {
    const count = counts.get(token) ?? 0
    return allowedCounts[state].includes(count) ? [] : [`${token} was ${state} and is there ${count} times`]
  })

function orderViolations(ledger: TokenLedger, tokens: readonly string[]): string[] {
  const writeOrder = new Map([...ledger.keys()].map((token, index) => [token, index]))
  const ownTokens = tokens.filter((token) => writeOrder.has(token))
  const inOrder = ownTokens.every(
    (token, index) => index === 0 || writeOrder.get(ownTokens[index - 1]!)! <= writeOrder.get(token)!,
  )
  return inOrder ? [] : [`out of order: ${ownTokens.join('')}`]
}

const pendingViolations = ({ store }: Y.Doc): string[] =>
  store.pendingStructs || store.pendingDs ? ['structs are pending'] : []

/** Compares state vectors, delete sets and texts. */
export const haveEqualState = (a: Y.Doc, b: Y.Doc): boolean =>
  Y.equalSnapshots(Y.snapshot(a), Y.snapshot(b)) &&
  a.getText('tokens').toJSON() === b.getText('tokens').toJSON()
