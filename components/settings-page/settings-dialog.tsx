'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { Modal } from '@/components/ui/modal.tsx'
import { SettingsForm } from './settings-form.tsx'
import { settingsStrings } from '@/lib/strings/settings.ts'

export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  const [open, setOpen] = useState(true)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(isOpen) => !isOpen && onClose()}>
      <Modal title={settingsStrings.title} description={settingsStrings.hint}>
        <SettingsForm />
      </Modal>
    </Dialog.Root>
  )
}
