import { expect, test } from 'vitest'
import { onUnheardWish, onWish, wish, withdraw } from './wish'

test('a panel that is there does it at once, one that comes does the latest of what it missed', () => {
  const done: string[] = []
  wish({ panel: 'find', text: 'first' })
  wish({ panel: 'find', text: 'second' })
  const stop = onWish('find', ({ text }) => done.push(text))
  wish({ panel: 'find', text: 'third' })
  stop()
  expect(done).toEqual(['second', 'third'])
})

test('the window hears of what no panel did, and may pass it on', () => {
  const passed: unknown[] = []
  const stop = onUnheardWish((wanted) => {
    passed.push(wanted)
    withdraw(wanted)
  })
  wish({ panel: 'comments', thread: 'a' })
  stop()
  const stopPanel = onWish('comments', () => expect.unreachable('done twice'))
  stopPanel()
  expect(passed).toEqual([{ panel: 'comments', thread: 'a' }])
})
