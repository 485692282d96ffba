/** What the documents name is there: the targets of their links, and the titles and files of tests that TESTING.md quotes. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPresenceState } from '../lib/protocol/presence-state.ts'

const projectFolder = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8')
const documents = ['README.md', ...globSync('docs/**/*.md', { cwd: projectFolder })]

/** Returns the anchors that GitHub makes of headings. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  )

test.each(documents)('the links of %s lead to files and headings that are there', (document) => {
  const withoutCode = read(document).replaceAll(/`[^`]*`/g, '')
  const targets = [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
  for (const target of targets.filter((one) => !one.startsWith('http'))) {
    const [file, anchor] = target.split('#') as [string, string?]
    const path = file === '' ? document : join(dirname(document), file)
    expect(existsSync(join(projectFolder, path)), target).toBe(true)
    if (anchor !== undefined) expect(anchorsOf(read(path)), target).toContain(anchor)
  }
})

describe('[W8] docs/CLIENT.md', () => {
  const text = read('docs/CLIENT.md')
  const fields = [...text.matchAll(/^\| `(\w+)`/gm)].map(([, field]) => field)
  const example = JSON.parse(/```json\n([^`]+)```/.exec(text)![1]!) as Record<string, unknown>

  test('its example of presence has every field that it names, and passes unchanged; another field does not', () => {
    expect(Object.keys(example)).toEqual(fields)
    expect(readPresenceState(example)).toEqual(example)
    expect(readPresenceState({ ...example, mood: 'good' })).toEqual(example)
  })

  test('it names every field of a state', () => {
    const schema = /^const state = recordOf\(\{\n([^]+?)^\}\)/m.exec(
      read('lib/protocol/presence-state.ts'),
    )![1]!
    expect([...schema.matchAll(/^ {2}(\w+):/gm)].map(([, field]) => field)).toEqual(fields)
  })
})

describe('docs/TESTING.md', () => {
  const text = read('docs/TESTING.md')

  test('each title that it quotes stands in the test that it names', () => {
    const quoted = [...text.matchAll(/`([\w./-]+\.(?:test|spec|contract)\.ts)`, "([^"]+)"/g)]
    expect(quoted.length).toBeGreaterThan(4)
    for (const [, file, title] of quoted) expect(read(file!).includes(title!), title).toBe(true)
  })

  test('each test file with a path is there', () => {
    for (const [, file] of text.matchAll(/`((?:\w[\w-]*\/)+[\w.-]+\.ts)`/g))
      expect(existsSync(join(projectFolder, file!)), file).toBe(true)
  })
})
