'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { Modal } from '@/components/ui/modal.tsx'
import { SettingsForm } from './settings-form.tsx'
import { strings } from '@/lib/strings/settings.ts'

export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  const [open, setOpen] = useState(true)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(isOpen) => !isOpen && onClose()}>
      <Modal title={strings.title} description={strings.hint}>
        <SettingsForm />
      </Modal>
    </Dialog.Root>
  )
}
