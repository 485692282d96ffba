/** The files of docs/operations, and the names of metrics in docs/OPERATIONS.md, agree with the program. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EXIT } from '../server/exit-codes.ts'
import { temporaryFolder } from '../server/fixtures/temporary-folder.ts'
import { createMetricsRegistry } from '../server/metrics/metrics-registry.ts'
import { FanoutCounts } from '../server/fanout/fanout-counts.ts'
import { ServerCounts } from '../server/metrics/server-counts.ts'

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')

const hasSystemd = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0

test.skipIf(!hasSystemd)(
  `systemd takes the unit${hasSystemd ? '' : ' (skipped: systemd-analyze is not installed)'}`,
  async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'diptych.service')
    await writeFile(
      file,
      read('operations/diptych.service').replace('/srv/diptych/node_modules/.bin/node', process.execPath),
    )
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  },
)

test('the unit runs what `npm start` runs, writes to DATA_DIR alone, and gives up what somebody must put right', () => {
  const unit = read('operations/diptych.service')
  const valueOf = (name: string): string | undefined => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]
  const { scripts } = JSON.parse(read('../package.json')) as { scripts: { start: string } }
  expect(valueOf('ExecStart')).toBe(`${valueOf('WorkingDirectory')}/node_modules/.bin/${scripts.start}`)
  expect(valueOf('ReadWritePaths')).toBe(valueOf('Environment=DATA_DIR'))
  expect(valueOf('RestartPreventExitStatus')).toBe(String(EXIT.setting))
  expect(Number(valueOf('StartLimitBurst'))).toBeGreaterThan(0)
  expect(valueOf('StartLimitIntervalSec')).toBe('2h')
  const guide = read('OPERATIONS.md')
  expect(guide).toContain(`install -d -o diptych -g diptych -m 700 ${valueOf('ReadWritePaths')}\n`)
})

const metrics = createMetricsRegistry({
  counts: new ServerCounts(),
  storeKind: 'sqlite',
  sessions: () => new Map(),
  links: () => new Map(),
  rooms: () => ({ open: 0, queued: 0, memoryBytes: 0 }),
  nodes: { counts: new FanoutCounts(), status: () => 'connected', nodeCount: () => 1 },
})
const names = new Set(metrics.getMetricsAsArray().map(({ name }) => name))

test('each metric that the alerts name is there', () => {
  const rules = read('operations/alerts.yml')
  const named = [...rules.matchAll(/\b(?:diptych|nodejs)_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''))
  expect(named.length).toBeGreaterThan(5)
  for (const name of named) expect(names, name).toContain(name)
})

test('docs/OPERATIONS.md names each metric of the program, and no other', () => {
  const text = read('OPERATIONS.md')
  const own = [...names].filter((name) => name.startsWith('diptych_'))
  for (const name of own) expect(text).toContain(`\`${name}`)
  for (const [, name] of text.matchAll(/`(diptych_[a-z_]+)/g)) expect(names, name).toContain(name)
})
