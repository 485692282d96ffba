import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { appendBlocks, heading, paragraph, sketchBlocks } from '../text/fixtures/text-sketches.ts'
import { copyOfType } from '../text/restore.ts'
import {
  bodyOf,
  branch,
  type Edit,
  elementAt,
  replaceText,
  textAt,
  wordsOf,
} from './fixtures/branched-texts.ts'
import { acceptChanges, changesOf, type ProposalTexts, type ProposedChange } from './proposed-changes.ts'

const seaside = [paragraph('We go to the sea in June with friends.')]

/** For example `words base: -sea +hills`. */
const summaryOf = (change: ProposedChange): string =>
  `${change.kind} ${change.state}: ${
    change.kind === 'words'
      ? change.pieces
          .map(({ kind, text }) => `${{ same: '=', added: '+', removed: '-', marked: '~' }[kind]}${text}`)
          .join(' ')
      : `${change.before?.name ?? '-'} ${change.after?.name ?? '-'}`
  }`
const summariesOf = (texts: ProposalTexts): string[] => changesOf(texts).map(summaryOf)
const acceptChange = (texts: ProposalTexts, change: ProposedChange, mode?: 'both'): boolean =>
  acceptChanges(texts, [change], mode).has(change.key)
const acceptAt = (texts: ProposalTexts, index: number, mode?: 'both') =>
  acceptChange(texts, changesOf(texts)[index]!, mode)

describe('what a proposal changes', () => {
  test('whole words, each by itself', () => {
    const texts = branch(seaside, (doc) => {
      replaceText(0, 'sea', 'hills')(doc)
      textAt(doc, 0).insert('We go to the hills in June with '.length, 'relatives and ')
      replaceText(0, 'June', 'Junes')(doc)
    })
    expect(summariesOf(texts)).toEqual([
      'words base: -sea +hills',
      'words base: -June +Junes',
      'words base: +relatives and ',
    ])
    expect(acceptAt(texts, 1)).toBe(true)
    expect(wordsOf(texts.original)).toEqual(['We go to the sea in Junes with friends.'])
    expect(summariesOf(texts)[1]).toBe('words proposed: -June +Junes')
    expect(acceptAt(texts, 1)).toBe(false)
  })

  test('marks, a heading’s level, a kind of block, the title', () => {
    const texts = branch([heading(1, 'Plan'), paragraph('bold words'), paragraph('a heading now')], (doc) => {
      elementAt(doc, 0).setAttribute('level', 2 as unknown as string)
      textAt(doc, 1).format(0, 4, { bold: {} })
      bodyOf(doc).delete(2, 1)
      appendBlocks(bodyOf(doc), [heading(2, 'a heading now')])
      doc.getText('title').insert(0, 'Plan B')
    })
    expect(summariesOf(texts)).toEqual([
      'words base: +Plan B',
      'attributes base: heading heading',
      'words base: ~bold',
      'replaced base: paragraph heading',
    ])
    for (const index of [3, 2, 1, 0]) acceptAt(texts, index)
    expect(sketchBlocks(bodyOf(texts.original))).toEqual(sketchBlocks(bodyOf(texts.proposal)))
    expect(texts.original.getText('title').toJSON()).toBe('Plan B')
  })

  /** Splits the first line into these. */
  const splitInto =
    ([first, ...others]: readonly [string, ...string[]]): Edit =>
    (doc) => {
      textAt(doc, 0).delete(first.length, textAt(doc, 0).length - first.length)
      const added = new Y.Doc().getXmlFragment('default')
      appendBlocks(
        added,
        others.map((line) => paragraph(line)),
      )
      bodyOf(doc).insertAfter(
        elementAt(doc, 0),
        added.toArray().map((node) => copyOfType(node as Y.XmlElement)),
      )
    }

  test.each<[string, [string, ...string[]]]>([
    ['between words', ['We go to the ', 'sea in June with friends.']],
    ['within a word', ['We go to the se', 'a in June with friends.']],
    ['in place of a space, twice', ['We go', 'to the sea in', 'June with friends.']],
  ])('a line that was split %s is one change, and is accepted at once', (_where, lines) => {
    const texts = branch([...seaside, paragraph('stays')], splitInto(lines))
    expect(summariesOf(texts)).toEqual(['split base: paragraph paragraph'])
    acceptAt(texts, 0)
    expect(wordsOf(texts.original)).toEqual([...lines, 'stays'])
    expect(summariesOf(texts)).toEqual(['split proposed: paragraph paragraph'])
  })

  test('a split stays one change, with its decision, where the original writes on in what was split off', () => {
    const texts = branch(seaside, splitInto(['We go', 'to the sea in June with friends.']))
    const { key } = changesOf(texts)[0]!
    replaceText(0, 'sea', 'seas')(texts.original)
    expect(changesOf(texts)).toMatchObject([{ kind: 'split', key, state: 'changed' }])
    acceptAt(texts, 0)
    expect(wordsOf(texts.original)).toEqual(['We go', 'to the sea in June with friends.'])
    textAt(texts.original, 1).insert(0, 'all the way ')
    expect(changesOf(texts)).toMatchObject([{ kind: 'split', key, state: 'changed' }])
  })

  test('words that come again further down were not split off', () => {
    const texts = branch([...seaside, paragraph('stays')], (doc) => {
      textAt(doc, 0).delete('We go'.length, ' to the sea in June with friends.'.length)
      appendBlocks(bodyOf(doc), [paragraph('to the sea in June with friends.')])
    })
    expect(changesOf(texts).map(({ kind }) => kind)).toEqual(['words', 'added'])
  })

  test('a line behind one that lost other words was not split off', () => {
    const texts = branch([...seaside, paragraph('stays')], (doc) => {
      textAt(doc, 0).delete('We go to the '.length, 'sea in June with friends.'.length)
      appendBlocks(bodyOf(doc), [paragraph('hills in June with friends.')])
    })
    expect(changesOf(texts).map(({ kind }) => kind)).toEqual(['words', 'added'])
  })

  test('a block that was moved is one change, and goes with the words that the original has now', () => {
    const texts = branch(
      [paragraph('first of all'), paragraph('second'), paragraph('third')],
      (doc) => {
        bodyOf(doc).delete(0, 1)
        appendBlocks(bodyOf(doc), [paragraph('first of all')])
      },
      replaceText(0, 'first', 'First'),
    )
    expect(summariesOf(texts)).toEqual(['moved base: paragraph paragraph'])
    acceptAt(texts, 0)
    expect(wordsOf(texts.original)).toEqual(['second', 'third', 'First of all'])
  })

  test('a decision ends where the author writes on: the change has another key then', () => {
    const texts = branch(seaside, replaceText(0, 'sea', 'hills'))
    const [change] = changesOf(texts) as [ProposedChange]
    expect(new TextEncoder().encode(change.key).length).toBeLessThanOrEqual(64)
    replaceText(0, 'hills', 'high hills')(texts.proposal)
    expect(changesOf(texts)[0]!.key).not.toBe(change.key)
    expect(acceptChange(texts, change)).toBe(false)
  })
})

describe('where the original has gone on', () => {
  test('other words of the same line are no conflict', () => {
    const texts = branch(seaside, replaceText(0, 'sea', 'hills'), replaceText(0, 'friends', 'everybody'))
    acceptAt(texts, 0)
    expect(wordsOf(texts.original)).toEqual(['We go to the hills in June with everybody.'])
  })

  test.each([
    [undefined, 'We go to the hills in June with friends.'],
    ['both' as const, 'We go to the lakes hills in June with friends.'],
  ])('the same words are a conflict, and both wordings are known (%s)', (mode, expected) => {
    const texts = branch(seaside, replaceText(0, 'sea', 'hills'), replaceText(0, 'sea', 'lakes'))
    const [change] = changesOf(texts)
    expect(change).toMatchObject({ state: 'changed', canKeepBoth: true, present: [{ text: 'lakes' }] })
    acceptAt(texts, 0, mode)
    expect(wordsOf(texts.original)).toEqual([expected])
  })

  test('what both have written is settled', () => {
    const texts = branch(seaside, replaceText(0, 'sea', 'hills'), replaceText(0, 'sea', 'hills'))
    expect(summariesOf(texts)).toEqual(['words proposed: -sea +hills'])
  })

  test('a block that is gone in the original comes back with the proposal’s words', () => {
    const texts = branch(
      [paragraph('stays'), ...seaside, paragraph('stays, too')],
      replaceText(1, 'sea', 'hills'),
      (doc) => bodyOf(doc).delete(1, 1),
    )
    expect(summariesOf(texts)).toEqual(['replaced gone: paragraph paragraph'])
    acceptAt(texts, 0)
    expect(wordsOf(texts.original)).toEqual([
      'stays',
      'We go to the hills in June with friends.',
      'stays, too',
    ])
  })

  test('a block that the proposal removes and the original has changed is a conflict', () => {
    const texts = branch(
      [paragraph('stays'), ...seaside],
      (doc) => bodyOf(doc).delete(1, 1),
      replaceText(1, 'sea', 'lakes'),
    )
    expect(summariesOf(texts)).toEqual(['removed changed: paragraph -'])
  })
})

describe('what somebody writes into the original after the reviewer has looked stays', () => {
  test.each<[string, Edit, Edit]>([
    [
      'words',
      replaceText(0, 'sea', 'hills'),
      (doc) => textAt(doc, 0).insert('We go to the '.length, 'deep blue '),
    ],
    [
      'a block that is removed',
      (doc) => bodyOf(doc).delete(0, 1),
      (doc) => textAt(doc, 0).insert(0, 'More. '),
    ],
    [
      'a conflict that has become another one',
      replaceText(0, 'sea', 'hills'),
      replaceText(0, 'lakes', 'rivers'),
    ],
  ])('%s', (name, propose, write) => {
    const goOn = name.startsWith('a conflict') ? replaceText(0, 'sea', 'lakes') : undefined
    const texts = branch([...seaside, paragraph('stays')], propose, goOn)
    const [seen] = changesOf(texts) as [ProposedChange]
    write(texts.original)
    const before = wordsOf(texts.original)
    expect(acceptChange(texts, seen)).toBe(false)
    expect(wordsOf(texts.original)).toEqual(before)
  })

  test('a block that was moved, of which the original has a copy there already', () => {
    const blocks = ['one', 'two', 'three'].map((words) => paragraph(words))
    const texts = branch(
      blocks,
      (doc) => {
        bodyOf(doc).delete(0, 1)
        appendBlocks(bodyOf(doc), [paragraph('one')])
      },
      (doc) => {
        appendBlocks(bodyOf(doc), [paragraph('one')])
        textAt(doc, 0).insert(3, ' and what Bob wrote')
      },
    )
    expect(summariesOf(texts)).toEqual(['removed changed: paragraph -', 'added proposed: - paragraph'])
  })
})

test('a block that was accepted and then written on does not come a second time unseen', () => {
  const texts = branch(seaside, (doc) => appendBlocks(bodyOf(doc), [paragraph('A last line of words')]))
  acceptAt(texts, 0)
  textAt(texts.proposal, 1).insert('A last line of words'.length, ' and more')
  expect(summariesOf(texts)).toEqual(['added changed: - paragraph'])
  acceptAt(texts, 0)
  expect(wordsOf(texts.original).slice(1)).toEqual(['A last line of words and more'])
})

test('carets and comments stay in the words that are left alone', () => {
  const texts = branch(seaside, replaceText(0, 'sea', 'hills'))
  const caret = Y.createRelativePositionFromTypeIndex(textAt(texts.original, 0), 'We go to the sea in'.length)
  acceptAt(texts, 0)
  const found = Y.createAbsolutePositionFromRelativePosition(caret, texts.original)!
  expect([found.type, found.index]).toEqual([textAt(texts.original, 0), 'We go to the hills in'.length])
})

test('of hundreds of new lines those that were accepted are found again', () => {
  const lines = Array.from({ length: 1_200 }, (_, index) => paragraph(`line ${index % 600}`))
  const texts = branch(seaside, (doc) => appendBlocks(bodyOf(doc), lines))
  texts.original.transact(() => appendBlocks(bodyOf(texts.original), lines.slice(0, 1_000)))
  const states = changesOf(texts).map(({ state }) => state)
  expect(states.slice(0, 1_000).every((state) => state === 'proposed')).toBe(true)
  expect(states.slice(1_000).every((state) => state === 'base')).toBe(true)
})
