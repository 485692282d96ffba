import { MissingDocument } from '@/components/ui/message-page'

export default function NotFound() {
  return <MissingDocument />
}
