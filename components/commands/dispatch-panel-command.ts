/** Dispatches commands to panels of this window. Knows no panel and no other window. */
import type { PanelCommand } from '@/lib/windows/panel-command.ts'

type CommandOfPanel<Panel extends PanelCommand['panel']> = Extract<PanelCommand, { panel: Panel }>
type PanelCommandHandler = (command: PanelCommand) => void

const pendingCommands = new Map<PanelCommand['panel'], PanelCommand>()
const handlersByPanel = new Map<PanelCommand['panel'], PanelCommandHandler>()
let unhandledHandler: PanelCommandHandler | undefined

/** Only the latest pending command of a panel is stored. */
export function dispatchPanelCommand(command: PanelCommand): void {
  const handler = handlersByPanel.get(command.panel)
  if (handler) return handler(command)
  pendingCommands.set(command.panel, command)
  unhandledHandler?.(command)
}

/** Drops a pending command that was passed on: a panel that opens later must not run it again. */
export const cancelPanelCommand = ({ panel }: PanelCommand): void => void pendingCommands.delete(panel)

/** For the panel: receives a pending command at once. Returns a function that unsubscribes. */
export function onPanelCommand<Panel extends PanelCommand['panel']>(
  panel: Panel,
  listener: (command: CommandOfPanel<Panel>) => void,
): () => void {
  const handler: PanelCommandHandler = (command) => listener(command as CommandOfPanel<Panel>)
  handlersByPanel.set(panel, handler)
  const pendingCommand = pendingCommands.get(panel)
  pendingCommands.delete(panel)
  if (pendingCommand) handler(pendingCommand)
  return () => {
    if (handlersByPanel.get(panel) === handler) handlersByPanel.delete(panel)
  }
}

/** For the window: receives commands whose panel is not here. Returns a function that unsubscribes. */
export function onUnhandledPanelCommand(listener: PanelCommandHandler): () => void {
  unhandledHandler = listener
  return () => {
    if (unhandledHandler === listener) unhandledHandler = undefined
  }
}
