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
  // A missing, an extra and a wrong letter; two letters exchanged; two typos in a longer word.
  ['otline', true],
  ['outtline', true],
  ['outkine', true],
  ['oultine', true],
  ['windwo out', true],
  ['dteahc', true],
  // Two letters are too few for a typo, and two typos are too many for four letters.
  ['iw', false],
  ['windiw histori', false],
  ['otln', false],
])('%j finds it: %s', (query, expected) => {
  const only = command('a')
  expect(createCommandMatcher([only])(only, query)).toBe(expected)
})

test('groups follow the order of the sections, without unavailable commands', () => {
  const commands = [
    command('help', { section: 'Help' }),
    command('a'),
    command('b', { when: () => false }),
    command('c', { isHelpOnly: true }),
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

test('the first match is the top entry of the palette', () => {
  const commands = [command('help', { section: 'Help' }), command('a'), command('b')]
  expect(firstMatch(commands, 'outline')?.id).toBe('a')
  expect(firstMatch(commands, 'no such thing')).toBe(undefined)
})

test('a typo is forgiven only if no command matches exactly', () => {
  const [bold, fold] = [command('bold', { title: 'Bold' }), command('fold', { title: 'Fold' })]
  const isMatch = createCommandMatcher([bold, fold])
  expect([bold, fold].map((each) => isMatch(each, 'bold'))).toEqual([true, false])
  expect([bold, fold].map((each) => isMatch(each, 'gold'))).toEqual([true, true])
})
