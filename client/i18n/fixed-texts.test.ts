import type { Language } from '../../schema/languages.ts'
import { expect, test } from 'bun:test'

/** The sentences of administration that people know from elsewhere, in the language in which they know them. */
const fixed: Record<Language, readonly string[]> = {
  pt: [
    'Clique em salvar para registar as alterações',
    'Sem permissão para acessar!',
    'Aguarde... reiniciando...',
    'Pago',
    'Vencido',
    'Em Aberto',
    'PAGO',
    'PAGAR',
    'Detalhes',
    'Valor',
    'Data Venc.',
    'Status',
    'Ação',
    'Dados',
    'Revisar',
    'Sua licença foi renovada até {date}!',
    'Mensagem muito curta',
    'Obrigatório',
    'O nome completo é obrigatório',
    'O Endereço é obrigatório',
    'Cidade é obrigatória',
    'CEP é obrigatório',
    'País é obrigatório',
    'Escolha um arquivo!',
    'Escolha um destino!',
    'Faturas',
    'Id',
    'Sim',
    'Use somente arquivos em formato PNG, ICO ou SVG!',
    'Não foi possível realizar a operação. Verifique se já existe uma empresa com o mesmo nome ou se os campos foram preenchidos corretamente',
    'Não foi possível carregar a lista de registros',
    'Não foi possível realizar a operação',
    'Operação realizada com sucesso!',
    'Operação atualizada com sucesso.',
    'Horários atualizados com sucesso.',
    'Assinatura realizada com sucesso!, aguardando a realização do pagamento',
    'Deseja realmente excluir esse registro?',
  ],
  es: [
    'Datos de la cola',
    'Horarios de Atención',
    'Opciones',
    'Logo',
    'Empresas',
    'Registrar Empresa',
    'Planes',
    'Ayuda',
    '+ Vencimiento',
  ],
  en: ['Too Short!', 'Too Long!', 'Required', 'Invalid email'],
}

for (const [language, sentences] of Object.entries(fixed))
  test(`${language} holds them word for word`, async () => {
    const catalog = await Bun.file(new URL(`./locales/${language}.po`, import.meta.url)).text()
    const said = [...catalog.matchAll(/^msgstr ((?:".*"\n?)+)/gm)].map(([, lines]) =>
      [...lines!.matchAll(/"(.*)"/g)].map(([, part]) => part).join(''),
    )
    // A sentence may go on after its mark of exclamation, and stand in each branch of a plural.
    const stands = (sentence: string) =>
      said.some((text) => text === sentence || (sentence.endsWith('!') && text.includes(sentence)))
    expect(sentences.filter((sentence) => !stands(sentence))).toEqual([])
  })
