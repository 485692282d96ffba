'use client'

import type { Command } from '@/components/commands/registry'
import { useCommands } from '@/components/commands/use-commands'
import { useWorkspaces, type NamedWorkspace } from './use-workspaces'

/** Named arrangements by keyboard. Draws nothing. */
export function WorkspaceCommands({ onSave }: { onSave: () => void }) {
  const workspaces = useWorkspaces()
  const applying = ({ name, workspace }: NamedWorkspace): Command => ({
    id: `workspace:${name}`,
    title: `Apply ${name}`,
    section: 'Windows',
    words: 'workspace arrangement layout',
    run: () => workspaces?.apply(workspace),
  })
  useCommands(workspaces ? [savingBy(onSave), ...workspaces.all.map(applying)] : [])
  return null
}

const savingBy = (run: () => void): Command => ({
  id: 'save-workspace',
  title: 'Save this workspace…',
  section: 'Windows',
  words: 'arrangement layout keep name',
  run,
})
