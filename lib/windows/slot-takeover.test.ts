import { expect, test } from 'vitest'
import { settle } from '../fixtures/wait.ts'
import { FakeDevice } from './fixtures/fake-devices.ts'
import { prepareTakeover } from './slot-takeover.ts'

function takeoverFixture() {
  const laptop = new FakeDevice('laptop')
  const asked: string[] = []
  const open = (title: string, openedAt: number, place = 'p') => {
    const { registry } = laptop.openWindow({ title, place }, { openedAt })
    registry.onRequest((what) => asked.push(`${title}: ${what.type}`))
    return prepareTakeover(registry)
  }
  return { open, asked }
}

test('[W1] the later of two windows in a slot stays, once it is live, and no other window is affected', async () => {
  const { open, asked } = takeoverFixture()
  const first = open('first', 1)
  first()
  open('elsewhere', 2, 'q')
  await settle()
  const second = open('second', 3)
  await settle()
  expect(asked).toEqual([])
  second()
  second()
  await settle()
  expect(asked).toEqual(['first: replaced'])
})

test('[W1] a window that is live before it knows of the former one takes over when it does', async () => {
  const { open, asked } = takeoverFixture()
  open('first', 1)()
  open('second', 2)()
  await settle()
  expect(asked).toEqual(['first: replaced'])
})
