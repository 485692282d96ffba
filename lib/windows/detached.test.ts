import { expect, test } from 'vitest'
import { ManualClock } from '../session/fixtures/manual-clock.ts'
import { DetachedWatch } from './detached.ts'
import type { PanelId } from './panels.ts'

function watch() {
  const clock = new ManualClock()
  const gone: PanelId[] = []
  let changes = 0
  const watched = new DetachedWatch(clock, {
    onGone: (panel) => gone.push(panel),
    onChange: () => changes++,
  })
  const see = (...live: PanelId[]) => watched.update(['outline'], new Set(live))
  return { clock, gone, watched, see, changes: () => changes }
}

test('a window that closes docks its panel after the grace', async () => {
  const { clock, gone, see } = watch()
  see('outline')
  see()
  await clock.pass(1_400)
  expect(gone).toEqual([])
  await clock.pass(200)
  expect(gone).toEqual(['outline'])
})

test('a window that reloads is back within the grace, and nothing moves', async () => {
  const { clock, gone, see } = watch()
  see('outline')
  see()
  await clock.pass(1_000)
  see('outline')
  await clock.pass(60_000)
  expect(gone).toEqual([])
})

test('what an earlier visit left detached and nobody finds is lost, not docked', async () => {
  const { clock, gone, watched, see, changes } = watch()
  see()
  await clock.pass(1_600)
  expect(watched.lost).toEqual(['outline'])
  expect([gone, changes()]).toEqual([[], 1])
  see('outline')
  expect(watched.lost).toEqual([])
})

test('a window that this one opens may load slowly; where it never comes, the panel docks', async () => {
  const { clock, gone, watched, see } = watch()
  watched.expect('outline')
  see()
  await clock.pass(14_000)
  expect([gone, watched.lost]).toEqual([[], []])
  await clock.pass(2_000)
  expect(gone).toEqual(['outline'])
})

test('one that was lost and is opened again is waited for anew', async () => {
  const { clock, gone, watched, see } = watch()
  see()
  await clock.pass(1_600)
  watched.expect('outline')
  see()
  expect(watched.lost).toEqual([])
  await clock.pass(5_000)
  see('outline')
  await clock.pass(60_000)
  expect(gone).toEqual([])
})

test('a panel that is docked by hand is watched no longer', async () => {
  const { clock, gone, watched, see } = watch()
  see('outline')
  see()
  watched.update([], new Set())
  await clock.pass(5_000)
  expect([gone, watched.lost, clock.timers]).toEqual([[], [], 0])
})
