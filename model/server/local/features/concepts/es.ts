import type { ConceptWords } from './concept.ts'

export const es: ConceptWords = {
  prepayment:
    'envía dinero, enviar dinero, enviar el dinero, tarjeta regalo, tarjetas de regalo, transferencia previa, pago por adelantado, por adelantado, por anticipado, pago anticipado, anticipo, depósito previo, señal por, gastos de gestión, gastos de tramitación, bizum, giro postal, western union, fianza antes, reserva por transferencia, estoy en el extranjero, te envío las llaves, pagar antes',
  easy_profit:
    'ganancias garantiz, ganancia garantiz, rentabilidad garantiz, garantizad, duplica tu, duplique su, triplica, sin riesgo, ingresos pasivos, dinero fácil, dinero rápido, libertad financiera, gana desde casa, gane desde casa, desde casa, sin experiencia, beneficio diario, ganancias diarias, multiplica tu, hazte rico, inversión segura, euros al día',
  crypto_wallet:
    'criptomoneda, cripto, monedero, billetera, bitcoin, frase semilla, cadena de bloques, minería de, tokens, usdt',
  urgency:
    'urgente, date prisa, última oportunidad, últimas plazas, solo hoy, sólo por hoy, antes de medianoche, de inmediato, inmediatamente, ahora mismo, no esperes, no te lo pierdas, en 24 horas, plazas limitadas, cuanto antes, último aviso, caduca, quedan pocas',
  secrecy:
    'discret, sin preguntas, sin papeles, no se lo digas, no digas, no le digas, en secreto, nadie se entera, nadie lo sabrá, sobre sin, paquete discreto, sin factura, anónim, sin dejar rastro, en negro, solo efectivo, sólo efectivo, no preguntes, confidencial, entre nosotros',
  money_mule:
    'recibir transferencia, recibes transferencia, recibir pagos, reenviar el dinero, reenvías, tu cuenta bancaria, presta tu cuenta, alquila tu cuenta, usar tu cuenta, quedarte con el, te quedas con, te quedas el, comisión por transferencia, mula, recibir paquetes, reenviar paquetes, agente de pagos',
  loan_lottery_prize:
    'préstamo, lotería, has ganado, ha ganado, premio, ganador, herencia, beneficiario, sin aval, sin nómina, felicidades, enhorabuena, sorteo, crédito rápido, crédito inmediato, asnef, reclama tu, buró',
  fake_documents:
    'documentos fals, pasaporte fals, título fals, dni fals, carnet fals, falsificad, permiso de conducir sin, carnet sin examen, sin examen, títulos universitarios, certificado fals, diplomas a medida, nómina fals, a cualquier nombre, registrado en tráfico, billetes fals, reseñas fals, pasaportes',
  counterfeit_stolen:
    'robad, imitación, réplica, copia exacta, falsific, triple a, sin número de serie, no preguntes de dónde, tarjetas clonad, clonad, cuentas hackead, bloqueado por icloud, pirata, de contrabando, contrabando, de dudosa',
  drugs:
    'cocaína, heroína, marihuana, hachís, cristal$, éxtasis, anfetamina, porro, cogollo, setas alucin, gramo, droga, farlopa, speed$, keta$, fentanilo, hierba, costo$, mota$, perico$, esteroides, camello$',
  medicine_without_prescription:
    'sin receta, sin prescripción, no necesita receta, ansiolítico, analgésico, pastillas para, tramadol, diazepam, lexatin, antibiótico, pastillas abortiv, misoprostol, somnífer, orfidal, medicamento, viagra, morfina, ozempic',
  weapons:
    'pistola, fusil, escopeta, munición, balas, revólver, silenciador, granada, explosivo, arma de fuego, armas, sin licencia, sin permiso de armas, ametralladora, navaja, puño americano, rifle, cartuchos, pólvora',
  protected_animals:
    'marfil, cuerno de rinoceronte, especie protegida, especies protegid, tortuga, loro, guacamayo, animal exótico, animales exóticos, halcón, águila, jilguero, crías de, mono tití, capturad, piel de jaguar, tigre, iguana, huevos de, del nido, en peligro de extinción',
  sexual_explicit:
    'desnud, porno, sexual, orgasmo, pene, vagina, tetas, coño, polla, follar, follando, masturb, cachond, erótic, pezon, mamada, corrida$, culo, caliente, excitad, sexo, xxx, gemía, lencería',
  sexual_services:
    'prostitut, masaje erótico, final feliz, acompañante, escort, servicio completo, chicas de compañía, por hora, a domicilio y hotel, encuentro íntimo, encuentros discretos, prepago$, caballeros solventes, webcam erótica, sugar daddy, scort, noche completa, señorita',
  threat_violence:
    'te voy a matar, matar, mataré, mataremos, te mato, quemar, quemaremos, quemaré, romper las piernas, te parto, partir la cara, te arrepentirás, os arrepentiréis, te vas a arrepentir, lo vas a pagar, vas a pagar, lo pagarás, sé dónde vives, sabemos dónde, dar una paliza, paliza, degollar, linchar, muert, vas a sufrir, una lección, sangre, cuídate las espaldas, golpear',
  weapon_attack:
    'bomba, disparar, disparo, apuñalar, apuñal, cuchillo, atentado, cóctel molotov, molotov, prender fuego, incendiar, atropellar, envenenar, machete, emboscada, masacre, bates, palos, héroe, mártir, explotar, veneno, tiroteo, atacar',
  hate_dehumanising:
    'parásito, cucaracha, alimaña, ratas, plaga, escoria, raza inferior, razas inferiores, vuelvan a su, volved a vuestro, vete a tu país, a su país, fuera de aquí, no son bienvenid, expuls, deport, invasores, invasión, nos invaden, esa gente, esta gente, estos animales, basura humana, infrahuman, sudaca, moros, no alquilamos a, no son personas, salvajes, limpieza, infest',
  insult:
    'idiota, imbécil, estúpid, inútil, gilipollas, feo$, fea$, asqueros, asco$, gord, payaso, mentiros, cabrón, puta, hijo de puta, pendej, mierda, patétic, fracasad, tonta, tonto, basura, retrasad, cobarde, zorra, perdedor, ridícul, cállate',
  pile_on:
    'escribidle todos, escríbanle, escribidle, escribirle todos, que se vaya, hasta que se, llamad a su, llamen a su, hacedle la vida, háganle la vida, la vida imposible, denunciad su, denuncien su, difundid su, difundan su, compartid su foto, compartan su foto, entre todos, todos contra, malas reseñas, una estrella, que la echen, que lo echen, inundad, inunden, a por él, a por ella, burl',
  self_harm_urge:
    'acaba con tu vida, quítate la vida, quitarte la vida, suicid, mátate, nadie te echará de menos, nadie te va a extrañar, nadie te extrañará, mejor sin ti, estarían mejor sin, eres una carga, deja de comer, dejar de comer, ayuno de, córtate, cortarte, autolesi, salta ya, hazlo ya, hazlo de una vez, tírate, sobredosis, desaparecer, sin dolor, pro ana, método, vomitar, reto de',
  support_help:
    'línea de ayuda, teléfono de la esperanza, grupo de apoyo, no estás sol, psicólog, terapia, terapeuta, pide ayuda, pedir ayuda, duelo, acompañamiento, voluntari, salud mental, recuperación, escucha, apoyo, línea de crisis, prevención del suicidio, gratuito y confidencial, supervivientes',
  credentials:
    'contraseña, clave, código de verificación, código sms, código que, número de tarjeta, datos bancarios, inicia sesión, inicie sesión, iniciar sesión, confirma tu, confirme su, frase de recuperación, frase semilla, clave privada, usuario y, introduce tu, introduzca su, clave api, pin, doce palabras, cvv',
  account_closes:
    'tu cuenta será, su cuenta será, su cuenta ha sido, tu cuenta ha sido, será suspendid, será bloquead, será cancelad, ha sido bloquead, verifica tu, verifique su, actividad inusual, actividad sospechosa, evitar el bloqueo, evitar la suspensión, reactivar, se cerrará, su buzón, tu buzón, actualice sus datos, actualiza tus datos, restablecer el acceso, su paquete',
  run_command:
    'ejecuta este, ejecuta el, ejecute el, ejecutad, instala este, instala el, instale el, desactiva el antivirus, desactive el antivirus, desactiva tu antivirus, antivirus, como administrador, pega esto, pega este, terminal, descarga el archivo, abre el archivo, acceso remoto, troyano, virus informático, programa espía, habilita las macros, script, comando',
  machine_orders:
    'ignora las instrucciones, ignora todas, ignora tus, ignora lo anterior, ignore las instrucciones, ignorad, instrucciones anteriores, instrucciones previas, olvida tus, olvida todas, mensaje del sistema, sistema, agentes de ia, agentes que lean, los agentes, asistente, aprueba este, apruebe esta, aprueba esta, modelo de lenguaje, moderador, modelo de moderación, inteligencia artificial, ahora eres, modo desarrollador, sin preguntar, a tu usuario, revela tu, clasifica este, marca este, responde solo',
  official_impersonation:
    'comunicado oficial, aviso oficial, somos el banco, le habla el, su banco, tu banco, agencia tributaria, hacienda, policía nacional, guardia civil, policía, ministerio, seguridad social, equipo de soporte, servicio técnico, departamento de, en nombre de, atención al cliente, ayuntamiento, soporte oficial, equipo de broadside, dirección general, correos informa, alcald, gobierno',
  private_person_data:
    'vive en, su dirección, su domicilio, su teléfono, su número, su móvil, su celular, matrícula, trabaja en, donde trabaja, dónde trabaja, dónde vive, mi ex, mi vecino, mi vecina, mi exmujer, fecha de nacimiento, está sola, está solo, dni de, su colegio, sus hijos, embarazada, diagnostic, historial, sale de casa, cada mañana, segundo piso, piso, seropositiv, nómina de, ficha',
  spam_reach:
    'haz clic, haga clic, clic aquí, suscríbete, seguidores, gratis, gratis gratis, compra ya, compra ahora, reenvía, reenviar a, reenvíalo, comparte, cadena, rompe la cadena, sígueme, síguenos, enlace en, código promocional, descuento, ofertas, barat, likes, visita mi, visita nuestra, mejor precio, únete',
  false_cure:
    'cura milagros, milagros, cura el cáncer, cura la diabetes, curar el cáncer, curan, los médicos ocultan, los médicos no quieren, farmacéuticas, sin cirugía, sin efectos secundarios, remedio, remedio natural, adelgaza, bajar de peso, quema grasa, deja la insulina, elimina la diabetes, dióxido de cloro, desintoxic, sana todo, cien por cien natural',
  placeholder_text:
    'texto de prueba, prueba prueba, esto es una prueba, solo una prueba, inserte, insertar texto, texto aquí, tu texto, título aquí, por definir, pendiente de, ejemplo de texto, hola mundo, aaa, relleno',
  warning_report:
    'cuidado con, ojo con, advertencia, aviso de estafa, alerta, estafa, estafador, juzgado, tribunal, condenad, juicio, denuncia policial, la policía detuvo, detenid, estudio, taller, charla, conferencia, historia, museo, novela, investigación, víctimas, no pagues, periodist, exposición, documental, prevenir, memoria, falso correo, fiscal',
  ordinary_trade:
    'recogida, recoger en, visitas, buen estado, estado, talla, factura, garantía, segunda mano, poco uso, vendo, alquilo, precio, amueblad, medidas, entrega, negociable, hecho a mano, reparación, clases de, madera, bicicleta, jornada, sueldo, contrato, arañazo',
  ordinary_event:
    'entrada libre, entrada gratuita, puertas, apertura, inscripción, ensayo, concierto, coro, taller, fiesta, mercadillo, feria, traed, traer, trae tu, biblioteca, aforo, plazas, actuación, principiantes, lectura, excursión, caminata, bienvenidos, torneo, proyección',
  tech_note:
    'versión, lanzamiento, corregid, error corregido, compilación, latencia, repositorio, código abierto, base de datos, despliegue, parche, actualización, rendimiento, servidor, biblioteca, consulta, memoria, migración, conjunto de datos, caché',
}
