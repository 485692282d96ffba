import { expect, test } from 'vitest'
import type { Command } from './registry.ts'
import { firstFound, isFound, grouped, possibleNow } from './search.ts'

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
])('%j finds it: %s', (query, expected) => {
  expect(isFound(command('a'), query)).toBe(expected)
})

test('groups come in the order of the sections, without what is not possible now', () => {
  const commands = [
    command('help', { section: 'Help' }),
    command('a'),
    command('b', { when: () => false }),
    command('c', { inHelpAlone: true }),
    command('bold', { section: 'Text', when: () => false }),
  ]
  const groups = grouped(possibleNow(commands)).map(({ section, items }) => [
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
  expect(firstFound(commands, 'outline')?.id).toBe('a')
  expect(firstFound(commands, 'no such thing')).toBe(undefined)
})
