import { expect, test } from 'vitest'
import {
  onUnhandledPanelCommand,
  onPanelCommand,
  dispatchPanelCommand,
  cancelPanelCommand,
} from './dispatch-panel-command.ts'

test('an open panel runs a command at once, and a panel that opens later runs the latest pending one', () => {
  const done: string[] = []
  dispatchPanelCommand({ panel: 'find', text: 'first' })
  dispatchPanelCommand({ panel: 'find', text: 'second' })
  const stop = onPanelCommand('find', ({ text }) => done.push(text))
  dispatchPanelCommand({ panel: 'find', text: 'third' })
  stop()
  expect(done).toEqual(['second', 'third'])
})

test('the window receives commands that no panel handled, and may pass them on', () => {
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
