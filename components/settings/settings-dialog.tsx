'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { Modal } from '@/components/ui/modal'
import { SettingsForm } from './settings-form'

export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  const [open, setOpen] = useState(true)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(isOpen) => !isOpen && onClose()}>
      <Modal title="Settings" description="Changes apply immediately in all your windows.">
        <SettingsForm />
      </Modal>
    </Dialog.Root>
  )
}
