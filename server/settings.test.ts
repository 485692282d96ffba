import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settings } from './settings.ts'

describe('the table of settings', () => {
  test('has no name twice, and no default that is not allowed', () => {
    const all = Object.values(settings)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    expect(all.filter((one) => one.read(one.default) === undefined)).toEqual([])
  })

  test.each(['databaseUrl', 'redisUrl', 'adminToken'] as const)('%s is shown by no message', (key) => {
    expect(settings[key].isSecret).toBe(true)
  })

  test('what is read cannot be changed afterwards', () => {
    const lists = [
      settings.transports.read('poll, sse'),
      settings.allowedOrigins.read('https://a.example'),
      settings.trustedProxies.read('10.0.0.0/8'),
      settings.limitGuesses.read('10/0.1'),
    ]
    expect(lists).toEqual([
      ['sse', 'poll'],
      ['https://a.example'],
      ['10.0.0.0/8'],
      { atOnce: 10, perSecond: 0.1 },
    ])
    expect(lists.map((list) => Object.isFrozen(list))).toEqual([true, true, true, true])
  })

  test('docs/OPERATIONS.md has a row for each, with the same words', async () => {
    const text = await readFile(join(import.meta.dirname, '../docs/OPERATIONS.md'), 'utf8')
    // The formatter pads the columns.
    const table = text.replaceAll(/ +/g, ' ')
    for (const { name, sentence, allowed, default: byDefault } of Object.values(settings))
      expect(table).toContain(
        `| \`${name}\` | ${byDefault ? `\`${byDefault}\`` : 'not set'} | ${sentence} Allowed: ${allowed}. |`,
      )
  })
})
