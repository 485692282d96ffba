import { beforeEach, describe, expect, test } from 'vitest'
import { ServerCounts } from '../metrics/server-counts.ts'
import { DocumentMemory, type MemoryAccount } from './document-memory.ts'

const MIB = 1024 * 1024

let now: number
let counts: ServerCounts
let memory: DocumentMemory
beforeEach(() => {
  now = 0
  counts = new ServerCounts()
  memory = new DocumentMemory({ limitBytes: 100 * MIB, shareBytes: 60 * MIB, counts, now: () => now })
})

/** A document that somebody edits. @param mib What its Y.Doc takes. */
function openDocument(principals: readonly string[], mib: number): MemoryAccount {
  const account = memory.open()
  account.dropDoc = () => memory.record(account, account.storedBytes, 0)
  for (const principal of principals) memory.addMember(account, principal)
  memory.record(account, 0, mib * MIB)
  memory.recordEdit(account)
  return account
}

const admit = (account: MemoryAccount, principal: string, mib: number): string => {
  try {
    memory.admit(account, principal, mib * MIB)
    return 'admitted'
  } catch (error) {
    expect(error).toMatchObject({ reason: { code: 'overloaded', retryAfterMs: 2_000 } })
    return 'refused'
  }
}

const docsOf = (accounts: readonly MemoryAccount[]): number[] =>
  accounts.map(({ docBytes }) => docBytes / MIB)

describe('over the budget', () => {
  test('the dearest Y.Docs are dropped that nobody edits, and before them those that nobody has open', () => {
    const left = openDocument([], 1)
    const idle = [openDocument(['ada'], 20), openDocument(['bob'], 30), openDocument(['cy'], 10)]
    now += 10_001
    const edited = openDocument(['dan'], 30)
    const asking = openDocument(['eve'], 0)
    expect(admit(asking, 'eve', 5)).toBe('admitted')
    expect(docsOf([left, ...idle, edited])).toEqual([1, 20, 30, 10, 30])
    expect(admit(asking, 'eve', 10)).toBe('admitted')
    expect(docsOf([left, ...idle, edited])).toEqual([0, 20, 30, 10, 30])
    expect(admit(asking, 'eve', 11)).toBe('admitted')
    expect(docsOf([left, ...idle, edited])).toEqual([0, 20, 0, 10, 30])
    expect([counts.droppedDocs, counts.memoryRefusals]).toEqual([2, 0])
  })

  test('who holds more than twice as much as the one who asks gives way', () => {
    const hogs = [openDocument(['hog'], 25), openDocument(['hog'], 30)]
    const shared = openDocument(['ada', 'hog'], 4) // counts as that of its poorest reader
    const other = openDocument(['bob'], 35)
    expect(admit(openDocument(['cy'], 0), 'cy', 30)).toBe('refused')
    expect(docsOf([...hogs, shared, other])).toEqual([25, 30, 4, 35])
    expect(admit(openDocument(['cy'], 0), 'cy', 29)).toBe('admitted')
    expect(docsOf([...hogs, shared, other])).toEqual([25, 0, 4, 35])
  })

  test('what is large is refused where nobody gives way, and what is small is not', () => {
    openDocument(['ada'], 50)
    openDocument(['bob'], 50)
    const asking = openDocument(['cy'], 0)
    expect(admit(asking, 'cy', 50)).toBe('refused')
    expect(admit(asking, 'cy', 1)).toBe('admitted')
    expect(counts.memoryRefusals).toBe(1)
  })

  test('a Y.Doc in use stays', () => {
    const [used, idle] = [openDocument(['ada'], 50), openDocument(['ada'], 5)]
    used.dropDoc = () => {}
    now += 10_001
    expect(admit(openDocument(['bob'], 0), 'bob', 50)).toBe('admitted')
    expect(docsOf([used, idle])).toEqual([50, 0])
  })
})

describe('one principal', () => {
  test('has a share, in which its idle Y.Docs give way to the one that it edits', () => {
    const first = openDocument(['ada'], 40)
    const second = openDocument(['ada'], 10)
    expect(admit(second, 'ada', 10)).toBe('admitted')
    expect(admit(second, 'ada', 11)).toBe('refused')
    expect(docsOf([first])).toEqual([40])
    now += 10_001
    expect(admit(second, 'ada', 11)).toBe('admitted')
    expect(docsOf([first])).toEqual([0])
  })

  test('opens no document beyond its share, and may leave one to open another', () => {
    const first = openDocument(['ada'], 0)
    memory.record(first, 50 * MIB, 0)
    const second = openDocument(['bob'], 0)
    memory.record(second, 20 * MIB, 0)
    expect(admit(second, 'ada', 0)).toBe('refused')
    memory.addMember(first, 'ada') // a second window of the first
    memory.removeMember(first, 'ada')
    expect(admit(second, 'ada', 0)).toBe('refused')
    memory.removeMember(first, 'ada')
    expect(admit(second, 'ada', 0)).toBe('admitted')
  })
})

test('a document that is closed takes nothing', () => {
  const account = openDocument(['ada'], 50)
  memory.close(account)
  memory.record(account, MIB, MIB) // by what the room had begun
  expect(memory.bytes).toBe(0)
  expect(admit(openDocument(['ada'], 0), 'ada', 60)).toBe('admitted')
})
