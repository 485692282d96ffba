'use client'

import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { showFolderDialog, useFolderDialog } from './folder-dialogs.ts'

const loadNameDialog = () => import('./folder-name-dialog.tsx')
const loadMoveDialog = () => import('./move-dialog.tsx')

const onClose = () => showFolderDialog(null)

export function FolderDialogHost() {
  const { shown: dialog } = useFolderDialog()
  if (dialog === null) return null
  return dialog.kind === 'move' ? (
    <LazyComponent
      load={loadMoveDialog}
      props={{ movable: dialog.movable, onClose }}
      onLoadFailed={onClose}
    />
  ) : (
    <LazyComponent load={loadNameDialog} props={{ dialog, onClose }} onLoadFailed={onClose} />
  )
}
