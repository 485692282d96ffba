import { expect, test } from '../fixtures/test.ts'
import { detachPanel, dockPanels } from '../fixtures/panels.ts'

test('the connection inspector lists all own windows, and changes the transport of another one alone', async ({
  editorWindow: main,
}) => {
  await main.page.getByRole('textbox', { name: 'Title' }).fill('Budget plan')
  await dockPanels(main.page, 'Connection inspector')
  const inspector = await detachPanel(main.page, 'Connection inspector')
  const windows = inspector.getByRole('region', { name: 'Your windows' })
  await expect(windows.getByRole('row')).toHaveCount(3) // the headings, and two windows
  const transport = windows.getByRole('combobox', { name: 'Transport of Budget plan' })
  await expect(transport).toHaveValue('automatic')
  await transport.selectOption('Server-sent events')
  await main.expectTransport('sse')
  await expect(transport).toHaveValue('sse')
  await expect(
    inspector.getByRole('button', { name: 'Connection', exact: true }),
  ).toHaveAccessibleDescription('Connected by WebSocket')
  await main.typeAtEnd('goes on')
  await expect(main.saveState).toHaveText('Saved')
})
