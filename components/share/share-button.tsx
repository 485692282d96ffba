'use client'

import { UserPlus } from 'lucide-react'
import { useCommands } from '@/components/commands/use-commands.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { usePopup } from '@/components/ui/use-popup.ts'
import type { ShareDialogProps } from './share-dialog.tsx'
import { shareStrings } from '@/lib/strings/share.ts'

const loadDialog = () => import('./share-dialog.tsx')

interface ShareButtonProps extends ShareDialogProps {
  readonly look?: 'primary' | 'plain'
}

/** For the owner only: nobody else may create links. */
export function ShareButton({ document, look = 'primary' }: ShareButtonProps) {
  const { trigger, Popup, popup } = usePopup<ShareDialogProps>('dialog', loadDialog)
  useCommands([
    {
      id: 'share',
      title: shareStrings.command.title,
      section: 'Document',
      words: shareStrings.command.words,
      run: trigger.onClick,
    },
  ])
  return (
    <>
      <button
        {...trigger}
        aria-label={shareStrings.button}
        className={`${buttonClass({ look, shape: 'small' })} max-sm:w-9 max-sm:px-0`}
      >
        <UserPlus size={16} aria-hidden />
        <span className="max-sm:hidden">{shareStrings.button}</span>
      </button>
      {Popup && <Popup document={document} {...popup} />}
    </>
  )
}
