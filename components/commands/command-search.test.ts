import { expect, test } from 'vitest'
import type { Command } from './command-registry.ts'
import { createCommandMatcher, firstMatch, groupBySection, listAvailableCommands } from './command-search.ts'

const command = (id: string, more: Partial<Command> = {}): Command => ({
  id,
  title: 'Open Outline in its own window',
  section: 'Panels',
  words: 'detach résumé',
  run: () => {},
  ...more,
})

test.each([
  ['', true],
  ['  ', true],
  ['outline', true],
  ['OWN out', true],
  ['detach', true],
  ['panels outl', true],
  ['resume', true],
  ['RÉSUMÉ', true],
  ['history', false],
  ['outline history', false],
  // A letter is missing, is too many, is wrong; two are exchanged; two slips in a longer word.
  ['otline', true],
  ['outtline', true],
  ['outkine', true],
  ['oultine', true],
  ['windwo out', true],
  ['dteahc', true],
  // Two letters are too few for a slip, and two slips too many for four.
  ['iw', false],
  ['windiw histori', false],
  ['otln', false],
])('%j finds it: %s', (query, expected) => {
  const only = command('a')
  expect(createCommandMatcher([only])(only, query)).toBe(expected)
})

test('groups come in the order of the sections, without what is not possible now', () => {
  const commands = [
    command('help', { section: 'Help' }),
    command('a'),
    command('b', { when: () => false }),
    command('c', { inHelpAlone: true }),
    command('bold', { section: 'Text', when: () => false }),
  ]
  const groups = groupBySection(listAvailableCommands(commands)).map(({ section, items }) => [
    section,
    items.map(({ id }) => id),
  ])
  expect(groups).toEqual([
    ['Panels', ['a']],
    ['Help', ['help']],
  ])
})

test('the first found is the highest of the palette', () => {
  const commands = [command('help', { section: 'Help' }), command('a'), command('b')]
  expect(firstMatch(commands, 'outline')?.id).toBe('a')
  expect(firstMatch(commands, 'no such thing')).toBe(undefined)
})

test('a slip is forgiven only where nothing is spelt like that', () => {
  const [bold, fold] = [command('bold', { title: 'Bold' }), command('fold', { title: 'Fold' })]
  const isMatch = createCommandMatcher([bold, fold])
  expect([bold, fold].map((each) => isMatch(each, 'bold'))).toEqual([true, false])
  expect([bold, fold].map((each) => isMatch(each, 'gold'))).toEqual([true, true])
})
