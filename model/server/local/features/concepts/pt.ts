import type { ConceptWords } from './concept.ts'

export const pt: ConceptWords = {
  prepayment:
    'enviar dinheiro, envie o dinheiro, cartão presente, cartões presente, vale presente, pagamento adiantado, adiantado, antecipad, pix antes, depósito antes, sinal antes, taxa de processamento, taxa de liberação, taxa de inscrição, transferência antes, mb way, western union, estou no exterior, estou no estrangeiro, envio as chaves, caução antes',
  easy_profit:
    'lucro garantido, lucros garantid, retorno garantido, garantid, duplique, dobre seu, dobrar o, sem risco, renda passiva, renda extra, dinheiro fácil, dinheiro rápido, liberdade financeira, ganhe em casa, trabalhe em casa, sem experiência, lucro diário, por dia garantid, ficar rico',
  crypto_wallet: 'criptomoeda, cripto, carteira digital, carteira, bitcoin, frase semente, tokens',
  urgency:
    'urgente, corra, última chance, últimas vagas, só hoje, somente hoje, imediatamente, agora mesmo, em 24 horas, antes da meia noite, vagas limitadas, não perca, não espere, último aviso, expira, rápido',
  secrecy:
    'discret, sem perguntas, sem papéis, não conte, não conta, em segredo, ninguém vai saber, ninguém sabe, embalagem discreta, sem nota, anônim, anónim, sem rastro, só dinheiro, por fora, não pergunte, confidencial, entre nós, sigilo',
  money_mule:
    'receber transferência, receba transferência, receber pagamento, sua conta bancária, tua conta, emprestar sua conta, empreste sua conta, alugar conta, aluga a tua conta, repassar o dinheiro, repasse, reencaminhar, fica com, comissão por transferência, laranja$, receber encomendas, agente de pagamento',
  loan_lottery_prize:
    'empréstimo, loteria, lotaria, você ganhou, ganhou um, prêmio, prémio, ganhador, vencedor, herança, beneficiário, parabéns, sorteio, sem consulta, nome sujo, crédito rápido, crédito aprovado, resgate seu',
  fake_documents:
    'documentos fals, diploma fals, passaporte fals, identidade fals, falsificad, carteira de motorista sem, carta de condução sem, cnh, sem exame, sem prova, diploma compra, comprar diploma, atestado, qualquer nome, notas fals, avaliações fals, certificado fals',
  counterfeit_stolen:
    'roubad, furtad, réplica, falsific, imitação, primeira linha, cópia perfeita, sem número de série, clonad, contas hackead, contrabando, pirata, não pergunte de onde, bloqueado icloud, receptação',
  drugs:
    'cocaína, heroína, maconha, haxixe, erva$, ecstasy, bala$, anfetamina, cogumelos, grama$, gramas$, droga, pó$, cetamina, crack$, baseado, anabolizante, traficante',
  medicine_without_prescription:
    'sem receita, não precisa de receita, remédio tarja, tarja preta, rivotril, analgésico, calmante, comprimidos, antibiótico, cytotec, abortiv, tramadol, ritalina, medicamento, ozempic, morfina',
  weapons:
    'pistola, fuzil, espingarda, munição, munições, revólver, silenciador, granada, explosivo, arma de fogo, armas, sem registro, sem porte, numeração raspada, soqueira, canivete, cartuchos',
  protected_animals:
    'marfim, chifre de rinoceronte, espécie protegida, animal silvestre, animais silvestres, papagaio, arara, tartaruga, jabuti, macaco, filhote, gavião, águia, pássaros, capturad, onça, tigre, do ninho, exótic, pintassilgo',
  sexual_explicit:
    'nua$, nus$, nudes, pelad, porno, pornô, sexual, orgasmo, pênis, pénis, vagina, buceta, peitos, foder, tesão, masturb, erótic, gozar, gozou, mamilo, safad, sexo, punheta, excitad',
  sexual_services:
    'garota de programa, acompanhante, prostitut, massagem erótica, massagem tântrica, final feliz, programa completo, atendo em, motel, por hora, escort, encontro discreto, encontros sigilos, cavalheiros, convívio, sugar daddy, pernoite',
  threat_violence:
    'vou te matar, matar, matarei, te mato, vamos matar, queimar, quebrar as pernas, quebrar a cara, te quebro, vai se arrepender, arrepender, vais pagar, vai pagar, vão pagar, sei onde você, sei onde moras, sabemos onde, surra, espancar, degolar, linchar, morrer, sofrer, uma lição, sangue, enforcar, partir te, bater em',
  weapon_attack:
    'bomba, atirar, tiroteio, esfaque, faca$, facas$, atentado, molotov, botar fogo, pôr fogo, atear fogo, incendi, atropelar, envenen, facão, emboscada, massacre, herói, mártir, explodir, atacar, tacos, porrete',
  hate_dehumanising:
    'parasita, barata$, baratas$, vermes, ratos, praga, escória, raça inferior, voltem para, volta para a tua, vai para a tua terra, não são bem vind, expuls, deport, invasores, invasão, essa gente, essa raça, esta gente, lixo humano, sub human, selvagens, macacada, não alugamos, não são gente, fora daqui, infest, limpeza',
  insult:
    'idiota, imbecil, estúpid, burro, burra, inútil, feia$, feio$, nojent, nojo, gorda$, gordo$, palhaço, mentiros, merda, puta$, vadia, desgraçad, ridícul, fracassad, lixo, otário, covarde, retardad, patétic, cala a boca, corno, babaca',
  pile_on:
    'escrevam para, escrevam lhe, mandem mensagem, todos escrev, liguem para, até ela sair, até ele sair, até que ela, até que ele, até ela, façam ela, façam ele, infernizem, a vida dela, a vida dele, denunciem o perfil, denunciem, espalhem, compartilhem a foto, partilhem a foto, avaliações negativas, uma estrela, vamos todos, seja demitid, encham, zoar',
  self_harm_urge:
    'acabe com a sua vida, acaba com a tua vida, tire sua vida, suicid, se mate, mata te, ninguém vai sentir, ninguém sentirá, melhor sem você, melhor sem ti, um peso, um fardo, pare de comer, deixa de comer, jejum de, se corte, corta te, automutil, pule logo, faça logo, faz isso de uma, overdose, sem dor, sumir, desafio, pró ana',
  support_help:
    'linha de apoio, cvv 188, cvv, grupo de apoio, você não está sozinh, não estás sozinh, psicólog, terapia, terapeuta, peça ajuda, pedir ajuda, luto$, acolhimento, voluntári, saúde mental, recuperação, escuta, apoio, prevenção ao suicídio, sobrevivent',
  credentials:
    'senha, palavra passe, código de verificação, código sms, código que, número do cartão, dados bancários, faça login, inicie sessão, confirme seu, confirme sua, confirme os, frase de recuperação, chave privada, chave api, usuário e, digite sua, token, doze palavras, insira',
  account_closes:
    'sua conta será, a sua conta, sua conta foi, conta será, será suspens, será bloquead, será cancelad, será encerrad, foi bloquead, foi suspens, verifique sua, verifique agora, atividade suspeita, atividade incomum, evitar o bloqueio, reativ, caixa de correio, atualize seus, atualize os, regularize, sua encomenda, cpf será',
  run_command:
    'execute este, execute o, executar, rode este, instale, instala este, desative o antivírus, desligue o antivírus, antivírus, como administrador, cole no, cole este, terminal, linha de comando, baixe o arquivo, abra o anexo, acesso remoto, cavalo de troia, vírus, programa espião, macros, script',
  machine_orders:
    'ignore as instruções, ignora as instruções, ignore todas, ignora todas, ignore suas, instruções anteriores, esqueça todas, esqueça suas, mensagem do sistema, prompt do sistema, sistema, agentes de ia, agentes que, todos os agentes, assistente, aprove est, aprova est, modelo de linguagem, modelo de moderação, moderador, agora você é, modo desenvolvedor, sem perguntar, seu usuário, inteligência artificial, revele, classifique, responda apenas',
  official_impersonation:
    'comunicado oficial, aviso oficial, oficial, aqui é do banco, aqui é da polícia, seu banco, o seu banco, receita federal, autoridade tributária, finanças, polícia, ministério, segurança social, inss, equipe de suporte, equipa de suporte, suporte técnico, atendimento ao cliente, departamento de, em nome d, prefeitura, câmara municipal, prefeito, equipe broadside, correios, governo',
  private_person_data:
    'mora na, mora no, mora em, seu endereço, endereço dela, endereço dele, telefone dela, telefone dele, número dela, número dele, celular dela, morada dela, morada dele, vive na, placa do carro, matrícula do, trabalha no, trabalha na, onde ela trabalha, onde ele trabalha, onde ela mora, onde ele mora, data de nascimento, sozinha em casa, sozinho em casa, meu ex, minha ex, meu vizinho, minha vizinha, filhos dela, filhos dele, escola dela, grávida, prontuário, diagnostic, soropositiv, sai de casa, todas as manhãs, cpf dela, cpf, salário dele',
  spam_reach:
    'clique, clique aqui, inscreva, subscreve, seguidores, grátis, grátis grátis, compre já, compre agora, encaminhe, reencaminhe, envie para dez, compartilhe, partilhe, corrente, quebre a corrente, link na bio, siga me, me siga, sigam, cupom, desconto, barat, melhor preço, promoção, curtidas, visite, entre no grupo',
  false_cure:
    'cura milagros, milagros, cura o câncer, cura o cancro, cura a diabetes, cura tudo, curar o, os médicos escondem, médicos não querem, indústria farmac, sem efeitos colaterais, sem efeitos secundários, remédio natural, remédio caseiro, emagre, queima gordura, detox, abandone a insulina, chá milagroso, elimina diabetes',
  placeholder_text:
    'texto de teste, teste teste, isto é um teste, só um teste, inserir texto, insira texto, texto aqui, seu texto, título aqui, a definir, a preencher, texto de exemplo, olá mundo',
  warning_report:
    'cuidado com, atenção com, alerta, aviso de golpe, golpe, golpista, burla, fraude, tribunal, condenad, julgamento, boletim de ocorrência, preso$, detid, estudo, oficina, palestra, história, museu, romance, pesquisa, vítima, não pague, jornalis, exposição, documentário, prevenção, memória, investigação',
  ordinary_trade:
    'retirada, levantamento, visita, bom estado, estado, tamanho, fatura, nota fiscal, garantia, usad, pouco uso, vendo, alugo, aluguel, arrendo, preço, mobiliad, mobilad, medidas, entrega, negociável, feito à mão, conserto, aulas de, madeira, bicicleta, salário, contrato',
  ordinary_event:
    'entrada livre, entrada gratuita, portas abr, abertura, inscrição, inscrições, ensaio, concerto, coro$, tragam, traga, feira, festa, biblioteca, vagas, iniciantes, leitura, caminhada, bem vindos, torneio, exibição, sarau, roda de',
  tech_note:
    'versão, lançamento, corrigid, correção, compilação, latência, repositório, código aberto, banco de dados, base de dados, implantação, atualização, desempenho, servidor, biblioteca, consulta, memória, migração, conjunto de dados, cache',
}
