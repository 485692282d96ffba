/** Tests the order of sync and acknowledgement as the kernel sees it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startChild } from '../fixtures/child-process.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { crashWriterFile } from './fixtures/sqlite-fixture.ts'

/** Undefined when there is no such program. */
async function exitCodeOf(command: string, args: readonly string[]): Promise<number | null | undefined> {
  await using child = startChild(command, args)
  const ended = await child.ended.catch(() => undefined)
  return ended?.code
}

describe('[D1] sync precedes the acknowledgement', async () => {
  const tracer = 'strace'
  const strace = (await exitCodeOf(tracer, ['-o', '/dev/null', 'true'])) === 0

  test.skipIf(!strace)(
    `as strace sees it${strace ? '' : ' (skipped: strace is missing or not allowed)'}`,
    async () => {
      await using folder = await temporaryFolder()
      const trace = join(folder.path, 'trace')
      await using writer = startChild(
        tracer,
        ['-f', '-y', '-s', '16', '-e', 'trace=write,pwrite64,fsync,fdatasync', '-o', trace].concat(
          process.execPath,
          crashWriterFile,
          join(folder.path, 'store.sqlite'),
          '1',
          '50',
        ),
      )
      expect((await writer.ended).stdout.split('\n').filter(Boolean)).toHaveLength(50)
      expect(syncedBeforeEach(await readFile(trace, 'utf8'))).toEqual(Array(50).fill(true))
    },
  )
})

/** For each acknowledgement in the trace, whether the log was written and then synced since the one before. */
const syncedBeforeEach = (trace: string): boolean[] => {
  const acknowledgements: boolean[] = []
  let log: 'untouched' | 'written' | 'synced' = 'untouched'
  const syncing = new Set<string>()
  for (const line of trace.split('\n')) {
    const thread = line.split(' ')[0]!
    const sync = / (fsync|fdatasync)\(.*-wal>/.test(line)
    if (sync && line.includes('unfinished')) syncing.add(thread)
    const resumed = /<\.\.\. (fsync|fdatasync) resumed/.test(line) && syncing.delete(thread)
    if (/ pwrite64\(.*-wal>/.test(line)) log = 'written'
    if ((sync || resumed) && line.endsWith('= 0') && log === 'written') log = 'synced'
    if (!/ write\(1<.*"a \d+\\n"/.test(line)) continue
    acknowledgements.push(log === 'synced')
    log = 'untouched'
  }
  return acknowledgements
}
