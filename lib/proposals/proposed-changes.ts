/**
 * Finds what a proposal changes, by comparing three texts: the base (where the proposal began), the original as it is now, and the
 * proposal. Knows Y.Docs; does not know the server or the page. Only `write` of a change writes, and only into the original.
 */
import * as Y from 'yjs'
import { table } from '../blocks/table/table.ts'
import { alignNodes, contentKeyOf } from '../text/align-nodes.ts'
import { isTextBlock } from '../text/plain-text.ts'
import { applyPieces, copyOfType, patchNode } from '../text/restore.ts'
import {
  type Block,
  isTextNode,
  storedTreeOf,
  type TextNode,
  type TextRun,
  type TreeNode,
} from '../text/tree.ts'
import { diffRuns, type DiffPiece } from '../text/word-diff.ts'
import { claimEqual } from './claim-equal.ts'
import { changeKeyOf } from './change-key.ts'
import { type Hunk, hunksBetween, placeFinderOf } from './hunks.ts'
import { lettersOf, runsOfLetters } from './letters.ts'

export interface ProposalTexts {
  /** The text with which the proposal began. */
  readonly base: Y.Doc
  readonly original: Y.Doc
  readonly proposal: Y.Doc
}

/**
 * What became of a place in the original: `base`, as the proposal's author found it; `proposed`, as the proposal has it; `changed`, to
 * something else; `gone`.
 */
export type PlaceState = 'base' | 'proposed' | 'changed' | 'gone'

/** How a change is accepted where the original has changed, too: in place of what is there, or beside it. */
export type AcceptMode = 'replace' | 'both'

interface ChangeFields {
  readonly key: string
  readonly state: PlaceState
  /** Whether both can stand in the original. */
  readonly canKeepBoth: boolean
  /** Where it is: ids of blocks (`Block.id`) of the texts, null where there is none. */
  readonly originalBlock: string | null
  readonly proposedBlock: string | null
  /**
   * Writes it into the original as that was when the change was found; within a transaction.
   *
   * @param moved The block of the original that is copied in place of the proposal's.
   */
  readonly write: (mode: AcceptMode, moved?: TreeNode) => void
}

/** Whole words of one text block, or of the title. */
export interface ChangedWords extends ChangeFields {
  readonly kind: 'words'
  /** Null for the title. */
  readonly block: Block | null
  readonly pieces: readonly DiffPiece[]
  /** What the base had there. */
  readonly former: readonly TextRun[]
  /** Whether no other words of the base's block stand before it, and behind it. */
  readonly isAtStart: boolean
  readonly isAtEnd: boolean
  /** What stands there in the original now. */
  readonly present: readonly TextRun[]
  readonly proposed: readonly TextRun[]
  /** The blocks that it is in, null for the title. */
  readonly presentIn: Block | null
  readonly proposedIn: Block | null
  /** The ids of the text nodes, null for the title or where there is none, and the letters in them. */
  readonly originalText: string | null
  readonly proposedText: string | null
  readonly originalRange: readonly [from: number, to: number]
  readonly proposedRange: readonly [from: number, to: number]
}

export interface ChangedBlock extends ChangeFields {
  readonly kind: 'added' | 'removed' | 'replaced' | 'moved' | 'attributes' | 'split'
  readonly before: Block | null
  readonly after: Block | null
  /** What a block was split into, `after` among them. */
  readonly parts?: readonly Block[]
  /** What stands there in the original now. */
  readonly present: Block | null
}

export type ProposedChange = ChangedWords | ChangedBlock

/** In the order of reading of the proposal. */
export function changesOf(texts: ProposalTexts): ProposedChange[] {
  const finder = new ChangeFinder()
  const titles = [texts.base, texts.original, texts.proposal].map((doc) => doc.getText('title'))
  finder.compareLetters(
    { place: 'title', block: null, original: null, proposed: null },
    titles[0]!,
    titles[2]!,
    titles[1]!,
  )
  const body = texts.original.getXmlFragment('default')
  finder.compareLevel({
    place: 'body',
    base: blocksOf(texts.base),
    proposal: blocksOf(texts.proposal),
    original: blocksOf(texts.original),
    parent: body,
  })
  return joinSplits(pairMoves(finder.changes))
}

/**
 * Writes changes into the original, in one transaction. They are found anew, because they were read from an older text.
 *
 * @param seen As whoever accepts them has seen them.
 * @returns The keys of those that were written. The others the proposal no longer makes, or their places in the original hold something
 *   else than then.
 */
export function acceptChanges(
  texts: ProposalTexts,
  seen: readonly ProposedChange[],
  mode: AcceptMode = 'replace',
): ReadonlySet<string> {
  const places = new Map(seen.map((change) => [change.key, placeKeyOf(change)]))
  const changes = changesOf(texts).filter(
    (change) => change.state !== 'proposed' && places.get(change.key) === placeKeyOf(change),
  )
  // From the end, so that what is written moves nothing that is still to be written.
  if (changes.length > 0)
    texts.original.transact(() => changes.toReversed().forEach((change) => change.write(mode)))
  return new Set(changes.map(({ key }) => key))
}

/** Whether the texts are as they were when the changes were found. */
export function areCurrent(texts: ProposalTexts, seen: readonly ProposedChange[]): boolean {
  const stateOf = (change: ProposedChange) => change.key + placeKeyOf(change)
  return isEqual(changesOf(texts).map(stateOf), seen.map(stateOf))
}

/** What a change's place in the original holds. */
function placeKeyOf(change: ProposedChange): string {
  if (change.kind === 'words') return change.state + JSON.stringify(change.present)
  return change.state + (change.present ? contentKeyOf(change.present) : '')
}

const blocksOf = (doc: Y.Doc): readonly Block[] => storedTreeOf(doc.getXmlFragment('default'))

interface Level {
  /** The id of the base's block that holds the others. */
  readonly place: string
  readonly base: readonly TreeNode[]
  readonly proposal: readonly TreeNode[]
  readonly original: readonly TreeNode[]
  readonly parent: Y.XmlFragment
}

interface LettersPlace {
  readonly place: string
  readonly block: Block | null
  readonly original: Block | null
  readonly proposed: Block | null
  readonly originalText?: string | null
  readonly proposedText?: string | null
}

/** A block of the base that is also in the proposal, and in the original unless it is gone there. */
interface SharedBlock {
  readonly base: Block
  readonly proposed: Block
  readonly present: Block | null
  readonly insertCopy: InsertCopy
}

/** Puts a copy of the proposal's block, or of another one, where the proposal has it. */
type InsertCopy = (copied?: TreeNode) => void

class ChangeFinder {
  readonly changes: ProposedChange[] = []

  compareLevel({ place, base, proposal, original, parent }: Level): void {
    const pairs = alignNodes(base, proposal)
    const claims = claimEqual(pairs, base, original)
    const claimedBases = new Set(pairs.flatMap(([was, is]) => (was && is && claims.has(is) ? [was] : [])))
    const claimed = new Set(claims.values())
    const presents = new Map(
      alignNodes(
        base.filter((node) => !claimedBases.has(node)),
        original.filter((node) => !claimed.has(node)),
      ).flatMap(([was, is]) => (was && is ? [[was, is] as const] : [])),
    )
    const paired = new Set(presents.values())
    const nears = findNear(
      pairs.flatMap(([was, is]) => (is && !was && !claims.has(is) ? [is] : [])),
      original.filter((node) => !claimed.has(node) && !paired.has(node)),
    )
    const seen = new Map<string, number>()
    let previous: TreeNode['type'] | null = null
    let previousBase = ''
    for (const [was, is] of pairs) {
      const near = (is && nears.get(is)) ?? null
      const present = (is && claims.get(is)) ?? (was && presents.get(was)) ?? near
      if (was) previousBase = was.id
      const after = previous
      const insertCopy = (copied = is!) => parent.insertAfter(after, [copyOfType(copied.type)])
      if (was && is) this.#compareNodes(was, is, present, insertCopy)
      else if (was) this.#addRemoved(was, present)
      else if (is) {
        const content = contentKeyOf(is)
        const count = seen.get(previousBase + content) ?? 0
        seen.set(previousBase + content, count + 1)
        const key = changeKeyOf('added', place, previousBase, content, count)
        this.#addAdded(key, is, present, near !== null, insertCopy)
      }
      if (present) previous = present.type
    }
  }

  /** @param isNear Whether the original has a block that is like it, and not equal. */
  #addAdded(
    key: string,
    is: TreeNode,
    present: TreeNode | null,
    isNear: boolean,
    insertCopy: InsertCopy,
  ): void {
    this.changes.push({
      kind: 'added',
      key,
      state: isNear ? 'changed' : present ? 'proposed' : 'base',
      canKeepBoth: isNear,
      originalBlock: present?.id ?? null,
      proposedBlock: is.id,
      before: null,
      after: shownBlockOf(is),
      present: present && shownBlockOf(present),
      write: (mode, moved) => {
        if (!isNear) return insertCopy(moved)
        insertBeside(present!.type, is.type)
        if (mode === 'replace') removeType(present!.type)
      },
    })
  }

  #addRemoved(was: TreeNode, present: TreeNode | null): void {
    const isUntouched = present !== null && contentKeyOf(was) === contentKeyOf(present)
    this.changes.push({
      kind: 'removed',
      key: changeKeyOf('removed', was.id),
      state: present === null ? 'proposed' : isUntouched ? 'base' : 'changed',
      canKeepBoth: false,
      originalBlock: present?.id ?? null,
      proposedBlock: null,
      before: shownBlockOf(was),
      after: null,
      present: present && shownBlockOf(present),
      write: () => removeType(present?.type),
    })
  }

  #compareNodes(was: TreeNode, is: TreeNode, present: TreeNode | null, insertCopy: InsertCopy): void {
    if (contentKeyOf(was) === contentKeyOf(is)) return
    if (isTextNode(was) || isTextNode(is) || (present && isTextNode(present))) {
      const [base, proposed] = [shownBlockOf(was), shownBlockOf(is)]
      return this.#addReplaced({ base, proposed, present: present && shownBlockOf(present), insertCopy })
    }
    const shared = { base: was, proposed: is, present, insertCopy }
    if (!present || was.name !== is.name || isTextBlock(was) !== isTextBlock(is)) this.#addReplaced(shared)
    else if (isTextBlock(was)) this.#compareTextBlocks(shared, present)
    else this.#compareContainers(shared, present)
  }

  #compareContainers(shared: SharedBlock, present: Block): void {
    const { base, proposed } = shared
    const isTable = base.name === table.name
    if (isTextBlock(present) || present.name !== base.name || (isTable && !haveSameCells(base, proposed)))
      return this.#addReplaced(shared)
    this.#compareAttributes(shared, present)
    this.compareLevel({
      place: base.id,
      base: base.children,
      proposal: proposed.children,
      original: present.children,
      parent: present.type,
    })
  }

  #compareTextBlocks(shared: SharedBlock, present: Block): void {
    const { base, proposed } = shared
    const triples = isTextBlock(present) ? textTriplesOf(base, proposed, present) : null
    if (!triples) return this.#addReplaced(shared)
    this.#compareAttributes(shared, present)
    for (const [was, is, now] of triples)
      this.compareLetters(
        {
          place: was?.id ?? base.id,
          block: base,
          original: present,
          proposed,
          originalText: now?.id ?? null,
          proposedText: is?.id ?? null,
        },
        was?.type ?? null,
        is?.type ?? null,
        now?.type ?? null,
      )
  }

  #compareAttributes({ base, proposed }: SharedBlock, present: Block): void {
    const names = Object.keys({ ...base.attributes, ...proposed.attributes }).filter(
      (name) => !isEqual(base.attributes[name], proposed.attributes[name]),
    )
    if (names.length === 0) return
    const isAs = ({ attributes }: Block) =>
      names.every((name) => isEqual(attributes[name], present.attributes[name]))
    const state = isAs(proposed) ? 'proposed' : isAs(base) ? 'base' : 'changed'
    const values = names.map((name) => [name, proposed.attributes[name]] as const)
    this.changes.push({
      kind: 'attributes',
      key: changeKeyOf('attributes', base.id, JSON.stringify(values)),
      state,
      canKeepBoth: false,
      originalBlock: present.id,
      proposedBlock: proposed.id,
      before: base,
      after: proposed,
      present,
      write: () => {
        for (const [name, value] of values)
          if (value === undefined) present.type.removeAttribute(name)
          // The types of Yjs allow only strings; the editor's binding writes any value.
          else present.type.setAttribute(name, value as string)
      },
    })
  }

  #addReplaced({ base, proposed, present, insertCopy }: SharedBlock): void {
    const now = present && contentKeyOf(present)
    const state =
      now === null
        ? 'gone'
        : now === contentKeyOf(proposed)
          ? 'proposed'
          : now === contentKeyOf(base)
            ? 'base'
            : 'changed'
    this.changes.push({
      kind: 'replaced',
      key: changeKeyOf('replaced', base.id, contentKeyOf(proposed)),
      state,
      canKeepBoth: state === 'changed',
      originalBlock: present?.id ?? null,
      proposedBlock: proposed.id,
      before: base,
      after: proposed,
      present,
      write: (mode) => {
        if (!present) insertCopy()
        else if (mode === 'both') insertBeside(present.type, proposed.type)
        else if (!patchNode(present, proposed)) {
          insertBeside(present.type, proposed.type)
          removeType(present.type)
        }
      },
    })
  }

  /** Null for a text that is missing: a block without letters has none. */
  compareLetters(
    { place, block, original, proposed, originalText = null, proposedText = null }: LettersPlace,
    was: Y.Text | null,
    is: Y.Text | null,
    now: Y.Text | null,
  ): void {
    const base = was ? lettersOf(was) : []
    const proposal = is ? lettersOf(is) : []
    const hunks = hunksBetween(base, proposal)
    if (hunks.length === 0) return
    const letters = now ? lettersOf(now) : []
    const findPlace = placeFinderOf(base, proposal, letters)
    for (const hunk of hunks) {
      const range = findPlace(hunk)
      const { from, to, state } = range
      const [formerRuns, presentRuns] = [
        runsOfLetters(base.slice(hunk.from, hunk.to)),
        runsOfLetters(letters.slice(from, to)),
      ]
      const proposedRuns = runsOfLetters(proposal.slice(hunk.proposedFrom, hunk.proposedTo))
      this.changes.push({
        kind: 'words',
        key: keyOfHunk(place, hunk, proposedRuns),
        state,
        canKeepBoth: state === 'changed',
        originalBlock: original?.id ?? null,
        proposedBlock: proposed?.id ?? null,
        block,
        pieces: diffRuns(formerRuns, proposedRuns),
        former: formerRuns,
        isAtStart: hunk.from === 0,
        isAtEnd: hunk.to === base.length,
        present: presentRuns,
        proposed: proposedRuns,
        presentIn: original,
        proposedIn: proposed,
        originalText,
        proposedText,
        originalRange: [from, to],
        proposedRange: [hunk.proposedFrom, hunk.proposedTo],
        write: (mode) => {
          const text = now ?? insertText(original!.type)
          if (mode === 'replace') applyPieces(text, from, diffRuns(presentRuns, proposedRuns))
          else applyPieces(text, to, addedBeside(presentRuns, proposedRuns))
        },
      })
    }
  }
}

const keyOfHunk = (place: string, { from, to }: Hunk, runs: readonly TextRun[]): string =>
  changeKeyOf('words', place, from, to, JSON.stringify(runs))

/** Both wordings, with a space between them. */
function addedBeside(present: readonly TextRun[], proposed: readonly TextRun[]): DiffPiece[] {
  const [end, start] = [present.at(-1)?.text.at(-1), proposed[0]?.text[0]]
  const isApart = end === undefined || start === undefined || /\s/.test(end) || /\s/.test(start)
  const runs = isApart ? proposed : [{ text: ' ', marks: {} }, ...proposed]
  return runs.map((run) => ({ kind: 'added', ...run }))
}

function insertText(block: Y.XmlElement): Y.XmlText {
  const text = new Y.XmlText()
  block.insert(0, [text])
  return text
}

/** Blocks that both have made and that share most of their words: as one that was accepted and then written on, on either side. */
function findNear(made: readonly TreeNode[], own: readonly TreeNode[]): Map<TreeNode, TreeNode> {
  const likely = made.filter((node) => !isTextNode(node) && hasContent(node))
  return new Map(
    alignNodes(likely, own).flatMap(([is, now]) =>
      is && now && !isTextNode(is) && !isTextNode(now) && is.name === now.name ? [[is, now] as const] : [],
    ),
  )
}

type TextTriple = readonly [base: TextNode | null, proposal: TextNode | null, original: TextNode | null]

/** The texts of a block, one beside the other; null where something among the letters (a mention, a line break) was added or removed. */
function textTriplesOf(base: Block, proposed: Block, present: Block): TextTriple[] | null {
  const all = [base, proposed, present].map(({ children }) => children)
  if (all.every((children) => children.length <= 1 && children.every(isTextNode)))
    return [all.map(([only]) => only ?? null) as unknown as TextTriple]
  if (all.some(({ length }) => length !== base.children.length)) return null
  const triples: TextTriple[] = []
  for (const [at, node] of base.children.entries()) {
    const others = [proposed.children[at], present.children[at]]
    if (others.some((other) => other!.id !== node.id)) return null
    if (isTextNode(node)) triples.push([node, ...others] as unknown as TextTriple)
    else if (others.some((other) => contentKeyOf(other!) !== contentKeyOf(node))) return null
  }
  return triples
}

/** Rows and columns change together: a table with others than before is one change. */
function haveSameCells(a: Block, b: Block): boolean {
  if (a.id !== b.id || !isEqual(a.attributes, b.attributes) || a.children.length !== b.children.length)
    return false
  return a.children.every((row, index) => {
    const other = b.children[index]!
    if (isTextNode(row) || isTextNode(other)) return false
    if (row.id !== other.id || !isEqual(row.attributes, other.attributes)) return false
    const cellOf = (cell: TreeNode) => [cell.id, isTextNode(cell) ? null : cell.attributes]
    return isEqual(row.children.map(cellOf), other.children.map(cellOf))
  })
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Letters beside the blocks are shown as a paragraph. */
const shownBlockOf = (node: TreeNode): Block =>
  isTextNode(node)
    ? {
        id: node.id,
        name: 'paragraph',
        attributes: {},
        children: [node],
        type: node.type as unknown as Y.XmlElement,
      }
    : node

const parentOf = (type: TreeNode['type']): Y.XmlFragment => type.parent as Y.XmlFragment

function insertBeside(type: TreeNode['type'], copied: TreeNode['type']): void {
  parentOf(type).insertAfter(type, [copyOfType(copied)])
}

function removeType(type: TreeNode['type'] | undefined): void {
  if (!type) return
  const parent = parentOf(type)
  parent.delete((parent.toArray() as unknown[]).indexOf(type), 1)
}

/** A block that is gone in one place and new in another was moved: one change. It moves as it is in the original now. */
function pairMoves(changes: readonly ProposedChange[]): ProposedChange[] {
  const [removals, additions] = (['removed', 'added'] as const).map((wanted) =>
    Map.groupBy(
      changes.filter((change): change is ChangedBlock => change.kind === wanted),
      ({ before, after }) => contentKeyOf((before ?? after)!),
    ),
  ) as [Map<string, ChangedBlock[]>, Map<string, ChangedBlock[]>]
  const removalOf = new Map<ProposedChange, ChangedBlock>()
  for (const [content, [addition, ...equal]] of additions) {
    const [removal, ...others] = removals.get(content) ?? []
    // Of several equal blocks nobody knows which one was moved.
    if (!addition || !removal || equal.length > 0 || others.length > 0 || !hasContent(addition.after!))
      continue
    // With a copy of the former words in its new place, what has been written in the former one since would go.
    if (addition.state === 'proposed' && removal.state === 'changed') continue
    removalOf.set(addition, removal)
  }
  const paired = new Set<ProposedChange>(removalOf.values())
  return changes.flatMap((change) => {
    const removal = removalOf.get(change)
    if (removal) return [movedChange(removal, change as ChangedBlock)]
    return paired.has(change) ? [] : [change]
  })
}

const hasContent = ({ children, attributes }: Block): boolean =>
  children.some((node) => (isTextNode(node) ? node.runs.length > 0 : hasContent(node))) ||
  Object.keys(attributes).length > 0

function movedChange(removal: ChangedBlock, addition: ChangedBlock): ChangedBlock {
  const isThere = addition.state === 'proposed'
  const isGone = removal.state === 'proposed'
  return {
    ...addition,
    kind: 'moved',
    key: changeKeyOf('moved', removal.key, addition.key),
    state: isThere && isGone ? 'proposed' : isGone ? 'gone' : 'base',
    originalBlock: removal.originalBlock ?? addition.originalBlock,
    before: removal.before,
    present: removal.present,
    write: (mode) => {
      if (!isThere) addition.write(mode, removal.present ?? undefined)
      removal.write(mode)
    },
  }
}

/**
 * Words that are gone at an end of a block, and are blocks beside it now, were split off by Enter: one change. Base and proposal alone tell,
 * so that it stays one whatever becomes of the original.
 */
function joinSplits(changes: readonly ProposedChange[]): ProposedChange[] {
  const additions = changes.filter((change): change is ChangedBlock => change.kind === 'added')
  const counts = Map.groupBy(additions, ({ after }) => contentKeyOf(after!))
  // Of several equal blocks nobody knows which one was split off.
  const maySplitOff = (change: ProposedChange | undefined): change is ChangedBlock =>
    change?.kind === 'added' && counts.get(contentKeyOf(change.after!))!.length === 1
  /** The nearest first. */
  const additionsBeside = (
    { proposedIn }: ChangedWords,
    list: readonly ProposedChange[],
    at: number,
    side: Side,
  ): ChangedBlock[] => {
    const found: ChangedBlock[] = []
    const step = side === 'before' ? -1 : 1
    let block = proposedIn
    for (let next = list[at + step]; maySplitOff(next); next = list[at + step * (found.length + 1)]) {
      if (!block || !isBeside(block, next.after!, side)) break
      found.push(next)
      block = next.after
    }
    return found
  }
  const joined: ProposedChange[] = []
  for (let at = 0; at < changes.length; at += 1) {
    const change = changes[at]!
    const words = change.kind === 'words' && change.block ? change : null
    const before =
      words?.isAtStart && findSplit(words, additionsBeside(words, joined, joined.length, 'before'), 'before')
    const behind = words?.isAtEnd && findSplit(words, additionsBeside(words, changes, at, 'behind'), 'behind')
    if (before) joined.length -= before.count
    else if (behind) at += behind.count
    joined.push((before || behind || { change }).change)
  }
  return joined
}

type Side = 'before' | 'behind'

/** Whether a block, or one that it is in, as the item of a list, has the other one directly at that side. */
function isBeside(block: Block, other: Block, side: Side): boolean {
  const sibling = side === 'before' ? other.type.nextSibling : other.type.prevSibling
  for (let at: unknown = block.type; at instanceof Y.XmlFragment; at = at.parent)
    if (at === sibling) return true
  return false
}

interface FoundSplit {
  readonly change: ChangedBlock
  /** How many blocks were split off. */
  readonly count: number
}

/** @param additions Beside the block, the nearest first. Null where other words are gone, or have come. */
function findSplit(words: ChangedWords, additions: readonly ChangedBlock[], side: Side): FoundSplit | null {
  const wanted = withoutSpace(textOfRuns(words.former))
  let found = withoutSpace(textOfRuns(words.proposed))
  for (const [index, { after }] of additions.entries()) {
    const text = onlyTextOf(after!)
    if (text === null || found.length >= wanted.length) return null
    found = side === 'before' ? withoutSpace(text) + found : found + withoutSpace(text)
    if (found !== wanted) continue
    const splitOff = additions.slice(0, index + 1)
    const parts = side === 'before' ? [...splitOff.toReversed(), words] : [words, ...splitOff]
    return { change: splitChange(words, parts), count: splitOff.length }
  }
  return null
}

const textOfRuns = (runs: readonly TextRun[]): string => runs.map(({ text }) => text).join('')

/** Enter in place of a space takes the space away. */
const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '')

/** The words of a block that has one text, as a line or the item of a list; else null. */
function onlyTextOf({ children }: Block): string | null {
  const [only, ...others] = children
  if (!only || others.length > 0) return null
  return isTextNode(only) ? textOfRuns(only.runs) : onlyTextOf(only)
}

function splitChange(words: ChangedWords, parts: readonly ProposedChange[]): ChangedBlock {
  const open = parts.filter(({ state }) => state !== 'proposed')
  const { block, originalBlock, proposedBlock, presentIn, proposedIn } = words
  return {
    kind: 'split',
    key: changeKeyOf('split', ...parts.map(({ key }) => key)),
    state: open.length === 0 ? 'proposed' : open.every(({ state }) => state === 'base') ? 'base' : 'changed',
    canKeepBoth: false,
    originalBlock,
    proposedBlock,
    before: block,
    after: proposedIn,
    parts: parts.map((part) => (part.kind === 'words' ? proposedIn! : part.after!)),
    present: presentIn,
    write: (mode) => open.toReversed().forEach((change) => change.write(mode)),
  }
}
