import { expect, test } from 'vitest'
import { FakeBrowser } from '../fixtures/fake-browser.ts'
import { settle } from '../fixtures/wait.ts'
import { WindowGroup, type WindowGroupPlatform } from './window-group.ts'

interface TestMessage {
  readonly type: string
  readonly text?: string
}

function joinGroup(platform: WindowGroupPlatform, id: string, name = 'one') {
  const log: string[] = []
  const group = new WindowGroup<TestMessage>(
    platform,
    {
      greet: (type) => ({ type, text: `I am ${id}` }),
      onMessage: ({ from, type, text }) => log.push(`${from} ${type}${text ? `: ${text}` : ''}`),
      onGone: (member) => log.push(`${member} is gone`),
    },
    id,
  )
  group.join(name)
  return { group, log }
}

async function joinPair(browser = new FakeBrowser()) {
  const windows = [browser.openWindow(), browser.openWindow()] as const
  const first = joinGroup(windows[0], 'first')
  await settle()
  const second = joinGroup(windows[1], 'second')
  await settle()
  return { browser, windows, first, second }
}

test('[W10] a newcomer and the members learn of each other, and windows of another group do not', async () => {
  const { browser, first, second } = await joinPair()
  const other = joinGroup(browser.openWindow(), 'other', 'another')
  await settle()
  expect([first.log, second.log, other.log]).toEqual([
    ['second hello: I am second'],
    ['first here: I am first'],
    [],
  ])
  expect([first.group.isAlone, second.group.isAlone, other.group.isAlone]).toEqual([false, false, true])
})

test('[W10] a message reaches all other members, or the one it is for', async () => {
  const { browser, first, second } = await joinPair()
  const third = joinGroup(browser.openWindow(), 'third')
  await settle()
  for (const { log } of [first, second, third]) log.length = 0
  first.group.post({ type: 'note', text: 'for all' })
  first.group.post({ type: 'note', text: 'for one' }, 'third')
  await settle()
  expect([first.log, second.log, third.log]).toEqual([
    [],
    ['first note: for all'],
    ['first note: for all', 'first note: for one'],
  ])
})

test('[W10] a member that dies without a message is gone once its lock is free', async () => {
  const { windows, first } = await joinPair()
  windows[1].crash()
  await settle()
  expect(first.log.at(-1)).toBe('second is gone')
  expect(first.group.isAlone).toBe(true)
})

test('[W10] a member that leaves says goodbye, is gone once, and neither sends nor receives any more', async () => {
  const { windows, first, second } = await joinPair()
  second.group.leave({ type: 'bye' })
  second.group.leave({ type: 'bye' })
  second.group.post({ type: 'note' })
  first.group.post({ type: 'note' })
  windows[1].crash()
  await settle()
  expect(first.log.slice(1)).toEqual(['second bye', 'second is gone'])
  expect(second.log).toEqual(['first here: I am first'])
})

test('a member that comes back after its goodbye is one again', async () => {
  const { windows, first, second } = await joinPair()
  second.group.leave({ type: 'bye' })
  joinGroup(windows[1], 'second')
  await settle()
  expect(first.log.at(-1)).toBe('second hello: I am second')
  expect(first.group.isAlone).toBe(false)
})

test('[W10] without locks windows meet all the same, and a goodbye ends it', async () => {
  const browser = new FakeBrowser()
  const joinWithoutLocks = (id: string) => {
    const window = browser.openWindow()
    return joinGroup({ channel: (name) => window.channel(name) }, id)
  }
  const [first, second] = [joinWithoutLocks('first'), joinWithoutLocks('second')]
  await settle()
  expect([first.group.isAlone, second.group.isAlone]).toEqual([false, false])
  second.group.leave({ type: 'bye' })
  await settle()
  expect(first.group.isAlone).toBe(true)
})

test('a window that leaves before its lock is held never joins', async () => {
  const browser = new FakeBrowser()
  const { group } = joinGroup(browser.openWindow(), 'first')
  group.leave({ type: 'bye' })
  await settle()
  expect(browser.channels.posted).toEqual([])
})

test('[W10] a message that names no sender, as those of earlier versions, is ignored', async () => {
  const { browser, first, second } = await joinPair()
  for (const { log } of [first, second]) log.length = 0
  browser.openWindow().channel('one').postMessage({ type: 'hello' })
  await settle()
  expect([first.log, second.log]).toEqual([[], []])
})
