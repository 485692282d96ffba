import { expect, test } from 'vitest'
import {
  onUnhandledPanelCommand,
  onPanelCommand,
  dispatchPanelCommand,
  cancelPanelCommand,
} from './dispatch-panel-command'

test('a panel that is there does it at once, one that comes does the latest of what it missed', () => {
  const done: string[] = []
  dispatchPanelCommand({ panel: 'find', text: 'first' })
  dispatchPanelCommand({ panel: 'find', text: 'second' })
  const stop = onPanelCommand('find', ({ text }) => done.push(text))
  dispatchPanelCommand({ panel: 'find', text: 'third' })
  stop()
  expect(done).toEqual(['second', 'third'])
})

test('the window hears of what no panel did, and may pass it on', () => {
  const passed: unknown[] = []
  const stop = onUnhandledPanelCommand((command) => {
    passed.push(command)
    cancelPanelCommand(command)
  })
  dispatchPanelCommand({ panel: 'comments', thread: 'a' })
  stop()
  const stopPanel = onPanelCommand('comments', () => expect.unreachable('done twice'))
  stopPanel()
  expect(passed).toEqual([{ panel: 'comments', thread: 'a' }])
})
