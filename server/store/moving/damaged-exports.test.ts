import { existsSync } from 'node:fs'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSeededRandom } from '../../../lib/fixtures/seeded-random.ts'
import { latestMigration } from '../migrations/index.ts'
import { type MovingFixture, openStoreForEachTest, refusalOf } from './fixtures/moving-fixture.ts'
import { importStore } from './import-store.ts'
import type { StoreLocation } from './store-location.ts'

let fixture: MovingFixture
openStoreForEachTest((opened) => (fixture = opened), { short: true })

describe('a file that is not as it was written is refused in one sentence, with nothing written', () => {
  let target: StoreLocation
  let file: string
  let bytes: Buffer
  beforeEach(async () => {
    target = await fixture.locate('target')
    file = await fixture.exportSource()
    bytes = await readFile(file)
  })

  const expectRefusal = async (sentence: RegExp) => {
    expect(await refusalOf(importStore(target, file))).toMatch(sentence)
    expect(existsSync((target as { file: string }).file)).toBe(false)
  }

  test('cut anywhere', async () => {
    const random = createSeededRandom(3)
    const lengths = [
      0,
      5,
      16,
      bytes.length - 1,
      ...Array.from({ length: 40 }, () => random.between(0, bytes.length - 1)),
    ]
    for (const length of lengths.toSorted((a, b) => b - a)) {
      await truncate(file, length)
      await expectRefusal(/^Nothing was imported: .* is (no export of Diptych|cut off after byte \d+)\.$/)
    }
  })

  test('one bit changed anywhere', async () => {
    const random = createSeededRandom(4)
    for (let index = 0; index < 150; index++) {
      const at = index < 20 ? index : random.between(0, bytes.length - 1)
      await writeFile(file, bytes.with(at, bytes[at]! ^ (1 << random.between(0, 7))))
      await expectRefusal(/\.$/)
    }
  })

  test('something behind its end', async () => {
    await writeFile(file, Buffer.concat([bytes, Buffer.of(0)]))
    await expectRefusal(/^Nothing was imported: .* is damaged before byte \d+\.$/)
  })

  test.each([
    ['"format":1', '"format":2', /written by a newer Diptych .* import it with that one\.$/],
    ['"format":1', '"format":0', /written by an older Diptych .* import it with that one, whose store/],
    // As long as it was: the length stands before it.
    [latestMigration, latestMigration.replace(/^\d+/, '9999'), /written by a newer Diptych/],
    [latestMigration, latestMigration.replace(/^\d+/, '0000'), /written by an older Diptych/],
  ])('%s that is %s', async (found, replacement, sentence) => {
    await writeFile(file, Buffer.from(bytes.toString('latin1').replace(found, replacement), 'latin1'))
    await expectRefusal(sentence)
  })

  test('another program’s file, and none', async () => {
    await writeFile(file, 'SQLite format 3\0')
    await expectRefusal(/is no export of Diptych\.$/)
    file += '-missing'
    await expectRefusal(/cannot be read: there is no such file\.$/)
  })
})
