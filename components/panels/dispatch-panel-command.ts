/** Brings wishes to panels of this window. Knows no panel and no other window. */
import type { PanelCommand } from '@/lib/windows/panel-command.ts'

type CommandOfPanel<Panel extends PanelCommand['panel']> = Extract<PanelCommand, { panel: Panel }>
type PanelCommandHandler = (dispatchPanelCommand: PanelCommand) => void

const pendingCommands = new Map<PanelCommand['panel'], PanelCommand>()
const handlersByPanel = new Map<PanelCommand['panel'], PanelCommandHandler>()
let unhandledHandler: PanelCommandHandler | undefined

/** The latest one of a panel counts. */
export function dispatchPanelCommand(command: PanelCommand): void {
  const handler = handlersByPanel.get(command.panel)
  if (handler) return handler(command)
  pendingCommands.set(command.panel, command)
  unhandledHandler?.(command)
}

/** It was passed on: a panel that comes is not to do it once more. */
export const cancelPanelCommand = ({ panel }: PanelCommand): void => void pendingCommands.delete(panel)

/** For the panel: hears of what it missed at once. Returns its undo. */
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

/** For the window: hears of wishes whose panel is not here. Returns its undo. */
export function onUnhandledPanelCommand(listener: PanelCommandHandler): () => void {
  unhandledHandler = listener
  return () => {
    if (unhandledHandler === listener) unhandledHandler = undefined
  }
}
