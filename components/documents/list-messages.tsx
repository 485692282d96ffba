import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { commonStrings } from '@/lib/strings/common.ts'

export const EmptyList = ({ children }: { children: ReactNode }) => (
  <div className="mt-4 border-t border-line pt-10 text-center text-muted">
    <p className="text-pretty">{children}</p>
  </div>
)

interface ListErrorProps {
  readonly message: string
  readonly busy: boolean
  readonly onRetry: () => void
}

export const ListError = ({ message, busy, onRetry }: ListErrorProps) => (
  <div role="alert" className="mt-4 flex flex-col items-center gap-4 border-t border-line pt-10 text-center">
    <p className="text-muted">{message}</p>
    <Button onClick={onRetry} disabled={busy}>
      {commonStrings.tryAgain}
    </Button>
  </div>
)
