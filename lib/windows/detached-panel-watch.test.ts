import { expect, test } from 'vitest'
import { ManualClock } from '../session/fixtures/manual-clock.ts'
import { DetachedPanelWatch } from './detached-panel-watch.ts'
import type { PanelId } from './panels.ts'

function createWatch() {
  const clock = new ManualClock()
  const gone: PanelId[] = []
  let changes = 0
  const detachedWatch = new DetachedPanelWatch(clock, {
    onWindowGone: (panel) => gone.push(panel),
    onChange: () => changes++,
  })
  const updateLive = (...live: PanelId[]) => detachedWatch.update(['outline'], new Set(live))
  return { clock, gone, detachedWatch, updateLive, changes: () => changes }
}

test('a window that closes docks its panel after the grace', async () => {
  const { clock, gone, updateLive } = createWatch()
  updateLive('outline')
  updateLive()
  await clock.pass(1_400)
  expect(gone).toEqual([])
  await clock.pass(200)
  expect(gone).toEqual(['outline'])
})

test('a window that reloads is back within the grace, and nothing moves', async () => {
  const { clock, gone, updateLive } = createWatch()
  updateLive('outline')
  updateLive()
  await clock.pass(1_000)
  updateLive('outline')
  await clock.pass(60_000)
  expect(gone).toEqual([])
})

test('a panel that an earlier visit left detached and that is in no window is lost, not docked', async () => {
  const { clock, gone, detachedWatch, updateLive, changes } = createWatch()
  updateLive()
  await clock.pass(1_600)
  expect(detachedWatch.lost).toEqual(['outline'])
  expect([gone, changes()]).toEqual([[], 1])
  updateLive('outline')
  expect(detachedWatch.lost).toEqual([])
})

test('a window that this one opens may load slowly; where it never comes, the panel docks', async () => {
  const { clock, gone, detachedWatch, updateLive } = createWatch()
  detachedWatch.expectWindow('outline')
  updateLive()
  await clock.pass(14_000)
  expect([gone, detachedWatch.lost]).toEqual([[], []])
  await clock.pass(2_000)
  expect(gone).toEqual(['outline'])
})

test('a lost panel that is opened again is waited for anew', async () => {
  const { clock, gone, detachedWatch, updateLive } = createWatch()
  updateLive()
  await clock.pass(1_600)
  detachedWatch.expectWindow('outline')
  updateLive()
  expect(detachedWatch.lost).toEqual([])
  await clock.pass(5_000)
  updateLive('outline')
  await clock.pass(60_000)
  expect(gone).toEqual([])
})

test('a panel that is docked by hand is watched no longer', async () => {
  const { clock, gone, detachedWatch, updateLive } = createWatch()
  updateLive('outline')
  updateLive()
  detachedWatch.update([], new Set())
  await clock.pass(5_000)
  expect([gone, detachedWatch.lost, clock.timers]).toEqual([[], [], 0])
})
