import { MissingDocument } from '@/components/ui/message-page.tsx'

export default function NotFound() {
  return <MissingDocument />
}
