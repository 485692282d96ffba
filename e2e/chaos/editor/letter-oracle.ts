/**
 * Knows each letter's author and who deleted it. A person deletes what an act of theirs takes off their own screen, and nothing else: a
 * letter that is gone although nobody's act took it off is lost.
 *
 * Yjs has no move. Who wraps, splits, joins or moves a block deletes it and writes it anew, and what somebody else writes or moves into the
 * old one at the same moment goes with it. Such letters are counted by themselves: `movedAway` where that person's act deleted no letter,
 * `withBlock` where it deleted some.
 */
import type { EditTrace, LetterCopy } from './edit-trace.ts'
import { type LetterCounts, missingLetters } from './letters.ts'

export interface RecordedAct {
  readonly by: string
  readonly act: string
  readonly shownBefore: LetterCounts
  readonly shownAfter: LetterCounts
  readonly storedBefore: LetterCounts
  readonly storedAfter: LetterCounts
  /** Parts that the schema does not know went off the screen, or rows with a cell that was hidden: their letters may not have been shown. */
  readonly hasRemovedUnknown: boolean
  readonly traces: readonly EditTrace[]
}

export interface ActFault {
  readonly kind: string
  readonly letters: readonly string[]
}

interface DeletedType {
  readonly by: string
  readonly act: string
  /** What this person had at that moment. */
  readonly stateBefore: ReadonlyMap<number, number>
  readonly isMove: boolean
}

export interface LetterLosses {
  readonly vanished: readonly string[]
  /** Gone with a step that somebody undid, and not theirs. */
  readonly undone: readonly string[]
  readonly movedAway: readonly string[]
  readonly withBlock: readonly string[]
}

export class LetterOracle {
  readonly #authors = new Map<string, string>()
  readonly #deleters = new Map<string, string>()
  /** Who has ever added or removed the letter, by whatever act. */
  readonly #touchers = new Map<string, Set<string>>()
  /** Off the screen of somebody who undid a step, and had never written or deleted them. */
  readonly #undone = new Set<string>()
  readonly #copies = new Map<string, (LetterCopy & { readonly writing: string })[]>()
  readonly #deletedTypes = new Map<string, DeletedType>()

  get writtenCount(): number {
    return this.#authors.size
  }

  /** Returns what is wrong with the act by itself, in words. */
  recordAct(act: RecordedAct): ActFault[] {
    const { by, shownBefore, shownAfter, storedBefore, storedAfter } = act
    const removedFromScreen = missingLetters(shownBefore, shownAfter)
    const removedFromStore = missingLetters(storedBefore, storedAfter)
    const isUndo = act.act === 'undo' || act.act === 'redo'
    const isOwn = (letter: string): boolean => this.#touchers.get(letter)?.has(by) ?? false
    const shown = new Set(removedFromScreen)
    // What a person wrote may have become part of something unknown, from which their undo takes it out.
    const mayBeHidden = (letter: string): boolean => act.hasRemovedUnknown || (isUndo && isOwn(letter))
    const unseen = removedFromStore.filter((letter) => !shown.has(letter) && !mayBeHidden(letter))
    const removed = [...removedFromScreen, ...removedFromStore.filter(mayBeHidden)]
    for (const letter of removed) if (isUndo && !isOwn(letter)) this.#undone.add(letter)
    this.#record(
      act,
      removed.filter((letter) => !isUndo || isOwn(letter)),
    )
    return unseen.length > 0 ? [{ kind: 'deletes what was not on the screen', letters: unseen }] : []
  }

  /**
   * For a writer whose screen is not looked at: whatever it deletes, its person deleted, also what came in the same update. What came is not
   * of its writing.
   */
  recordEdit(
    by: string,
    storedBefore: LetterCounts,
    storedAfter: LetterCounts,
    traces: readonly EditTrace[],
  ): void {
    const counts = { storedBefore, storedAfter, shownBefore: storedBefore, shownAfter: storedAfter }
    const deleted = new Set(traces.flatMap(({ deletedLetters }) => [...deletedLetters]))
    const removed = [...deleted].filter(
      (letter) => (storedAfter.get(letter) ?? 0) < (storedBefore.get(letter) ?? 1),
    )
    const written = new Set(traces.flatMap(({ letters }) => letters.map(({ letter }) => letter)))
    const added = missingLetters(storedAfter, storedBefore).filter((letter) => written.has(letter))
    this.#record({ by, act: 'edit', ...counts, hasRemovedUnknown: false, traces }, removed, added)
  }

  #record(
    { by, act, storedBefore, storedAfter, traces }: RecordedAct,
    removed: readonly string[],
    added = missingLetters(storedAfter, storedBefore),
  ): void {
    for (const letter of added) if (!this.#authors.has(letter)) this.#authors.set(letter, by)
    for (const letter of removed) this.#deleters.set(letter, by)
    for (const letter of [...added, ...removed]) addTo(this.#touchers, letter, by)
    const isMove = missingLetters(storedBefore, storedAfter).length === 0
    for (const { letters, deletedTypes, stateBefore } of traces) {
      for (const copy of letters) {
        const copies = this.#copies.get(copy.letter) ?? []
        copies.push({ ...copy, writing: `${by}, ${act}` })
        this.#copies.set(copy.letter, copies)
      }
      for (const type of deletedTypes) this.#deletedTypes.set(type, { by, act, stateBefore, isMove })
    }
  }

  /** What is gone at the end although no act took it off a screen. */
  findLosses(stored: LetterCounts): LetterLosses {
    const gone = [...this.#authors.keys()].filter(
      (letter) => !stored.has(letter) && !this.#deleters.has(letter),
    )
    const kinds = Map.groupBy(gone, (letter) => this.#kindOf(letter))
    const { vanished = [], undone = [], movedAway = [], withBlock = [] } = Object.fromEntries(kinds)
    return { vanished, undone, movedAway, withBlock }
  }

  #kindOf(letter: string): keyof LetterLosses {
    const unseen = (this.#copies.get(letter) ?? []).flatMap((copy) => this.#unseenDeletions(copy))
    if (unseen.length === 0) return this.#undone.has(letter) ? 'undone' : 'vanished'
    return unseen.every(({ isMove }) => isMove) ? 'movedAway' : 'withBlock'
  }

  /** Deletions of a type around the copy, by somebody who did not have the copy yet. */
  #unseenDeletions({ within, client, clock }: LetterCopy): DeletedType[] {
    return within.flatMap((type) => {
      const deletion = this.#deletedTypes.get(type)
      return deletion && (deletion.stateBefore.get(client) ?? 0) <= clock ? [deletion] : []
    })
  }

  /** Where the letter was written, anew with each move, and who deleted the types around it. */
  describe(letter: string): string {
    const copies = (this.#copies.get(letter) ?? []).map(({ writing, within }) => {
      const deletions = within.flatMap((type) => {
        const deletion = this.#deletedTypes.get(type)
        return deletion ? [`${type} deleted by ${deletion.by}, ${deletion.act}`] : []
      })
      return `written by ${writing}, in ${[within.join(' in '), ...deletions].join('; ')}`
    })
    return [`${letter} of ${this.#authors.get(letter)}`, ...copies].join('\n  ')
  }
}

function addTo<Key>(map: Map<Key, Set<string>>, key: Key, value: string): void {
  const values = map.get(key)
  if (values) values.add(value)
  else map.set(key, new Set([value]))
}
