//! Common given and family names in many languages, in their own scripts.
//!
//! Words only; `names` combines them. A full name that belongs to a real person does so by chance.

/// The language and script of a person's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Irish,
    German,
    Dutch,
    French,
    Spanish,
    Portuguese,
    Italian,
    Nordic,
    Polish,
    Czech,
    Romanian,
    Turkish,
    Russian,
    Ukrainian,
    Slavic,
    Greek,
    Arabic,
    Levantine,
    Hebrew,
    Israeli,
    Devanagari,
    Indian,
    Chinese,
    Pinyin,
    Japanese,
    Romaji,
    Korean,
    Vietnamese,
    Nigerian,
    Kenyan,
}

/// The order of the two parts of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    GivenFirst,
    FamilyFirst,
    /// Family name first, no space.
    Joined,
}

/// The words of one language, separated by a comma and a space.
pub(crate) struct Words {
    pub(crate) language: Language,
    pub(crate) order: Order,
    pub(crate) given: &'static str,
    pub(crate) family: &'static str,
}

const fn words(language: Language, order: Order, given: &'static str, family: &'static str) -> Words {
    Words { language, order, given, family }
}

use Language::*;
use Order::*;

/// The words of every language, in the order of [`Language`].
pub(crate) const WORDS: [Words; 31] = [
    words(
        English,
        GivenFirst,
        "James, Mary, Robert, Patricia, John, Jennifer, Michael, Linda, David, Elizabeth, William, Barbara, \
         Richard, Susan, Joseph, Jessica, Thomas, Sarah, Charles, Karen, Daniel, Nancy, Matthew, Lisa, Anthony, \
         Margaret, Mark, Sandra, Steven, Ashley, Andrew, Emily, Joshua, Michelle, Kevin, Amanda, Brian, Melissa, \
         George, Deborah, Edward, Stephanie, Ronald, Rebecca, Jason, Laura, Oliver, Grace, Harriet, Chloë",
        "Smith, Johnson, Williams, Brown, Jones, Miller, Davis, Wilson, Anderson, Taylor, Thomas, Moore, Jackson, \
         Martin, Lee, Thompson, White, Harris, Clark, Lewis, Robinson, Walker, Young, Allen, King, Wright, Scott, \
         Hill, Green, Adams, Baker, Nelson, Carter, Mitchell, Turner, Phillips, Campbell, Parker, Evans, Edwards, \
         Collins, Stewart, Morris, Cooper, Ashford, Blackwood, Brookfield, Hartwell, Kingsley, Langford, Marlow, \
         Northcott, Oakley, Pemberton, Ridgeway, Stanton, Thornhill, Whitaker, Fairfax-Lane, Holt-Reyes",
    ),
    words(
        Irish,
        GivenFirst,
        "Aoife, Seán, Niamh, Conor, Siobhán, Cillian, Róisín, Eoin, Ciara, Pádraig, Saoirse, Oisín, Gráinne, \
         Declan, Maeve, Ronan, Sinéad, Fergus, Orla, Liam",
        "O'Brien, Murphy, Kelly, O'Sullivan, Walsh, Byrne, Ryan, O'Connor, O'Neill, Doyle, McCarthy, Gallagher, \
         Doherty, Kennedy, Lynch, Murray, Quinn, McLoughlin, Ó Súilleabháin, Ní Bhriain, MacDonagh, D'Arcy",
    ),
    words(
        German,
        GivenFirst,
        "Lukas, Anna, Maximilian, Sophie, Jürgen, Ursula, Jörg, Käthe, Björn, Heike, Günther, Sabine, Stefan, \
         Katharina, Matthias, Johanna, Florian, Franziska, Tobias, Lena, Hans-Peter, Anna-Lena, Karl-Heinz, Götz, \
         Wolfgang, Birgit, Sören, Annegret, Uwe, Ingrid",
        "Müller, Schmidt, Schneider, Fischer, Weber, Meyer, Wagner, Becker, Schulz, Hoffmann, Schäfer, Koch, \
         Bauer, Richter, Klein, Wolf, Schröder, Neumann, Schwarz, Zimmermann, Braun, Krüger, Hofmann, Hartmann, \
         Lange, Weiß, Groß, Strauß, Großmann, Jäger, Köhler, König, Böhm, von Lindenau, Steinbach, Bergmann, \
         Oberhofer, Niedermayr, Müller-Brandt, Vogelsang, Rosenthal, Eichhorn",
    ),
    words(
        Dutch,
        GivenFirst,
        "Daan, Emma, Sem, Julia, Lucas, Mila, Bram, Sanne, Thijs, Lotte, Ruben, Fleur, Jeroen, Marijke, Pieter, \
         Anouk, Joost, Femke, Maarten, Noortje, Zoë, Daniël",
        "de Jong, Jansen, de Vries, van den Berg, van Dijk, Bakker, Janssen, Visser, Smit, Meijer, de Boer, \
         Mulder, de Groot, Bos, Vos, Peters, Hendriks, van Leeuwen, Dekker, Brouwer, de Wit, Dijkstra, Smits, \
         van der Meer, van 't Hoff, IJsselstein",
    ),
    words(
        French,
        GivenFirst,
        "Camille, Louis, Léa, Hugo, Chloé, Jules, Manon, Gabriel, Inès, Raphaël, Élodie, François, Hélène, \
         Jean-Luc, Marie-Claire, Benoît, Anaïs, Étienne, Céline, Thibault, Maëlle, Loïc, Océane, Théo, Aurélie, \
         Jean-Baptiste, Zoé, Rémi",
        "Martin, Bernard, Dubois, Thomas, Robert, Richard, Petit, Durand, Leroy, Moreau, Simon, Laurent, \
         Lefèvre, Michel, García, David, Bertrand, Roux, Vincent, Fournier, Morel, Girard, André, Mercier, \
         Dupont, Lambert, Bonnet, Gauthier, Lefebvre-Roy, D'Aubigny, Desprès, Châtelain, Beaulieu, de La Tour, \
         Noël, Bœuf",
    ),
    words(
        Spanish,
        GivenFirst,
        "José, María, Juan, Carmen, Antonio, Ana, Javier, Lucía, Carlos, Sofía, Miguel Ángel, Martín, Begoña, \
         Íñigo, Raúl, Inés, Andrés, Pilar, Jesús, Verónica, Álvaro, Ximena, Joaquín, Rocío, Nicolás, Paz, Núria, \
         Jordi, Ander, Valentina",
        "García, Martínez, López, Sánchez, González, Rodríguez, Fernández, Pérez, Gómez, Ruiz, Díaz, Hernández, \
         Muñoz, Álvarez, Moreno, Jiménez, Torres, Vázquez, Ramos, Castro, Núñez, Ibáñez, Ortega y Ruiz, \
         García Robles, López de la Vega, Peña, Ordóñez, Güell, Iñíguez, Zubizarreta, Quiñones, Etxeberria",
    ),
    words(
        Portuguese,
        GivenFirst,
        "João, Maria, Tiago, Beatriz, Gonçalo, Inês, Rui, Mariana, André, Catarina, Luís, Conceição, Estêvão, \
         Letícia, Caio, Thaís, Vinícius, Flávia, Antônio, Luíza, Simão, Débora",
        "Silva, Santos, Ferreira, Pereira, Oliveira, Costa, Rodrigues, Martins, Sousa, Fernandes, Gonçalves, \
         Lima, Araújo, Ribeiro, Almeida, Carvalho, Magalhães, Simões, dos Santos, da Silva, Guimarães, Falcão, \
         Assunção, Conceição, Brandão, Vilaça",
    ),
    words(
        Italian,
        GivenFirst,
        "Francesco, Giulia, Alessandro, Aurora, Lorenzo, Sofia, Matteo, Alice, Niccolò, Chiara, Leonardo, \
         Martina, Davide, Elisa, Tommaso, Beatrice, Gianluca, Ilaria, Nicolò, Desirée",
        "Rossi, Russo, Ferrari, Esposito, Bianchi, Romano, Colombo, Ricci, Marino, Greco, Bruno, Gallo, Conti, \
         De Luca, Mancini, Costa, Giordano, Rizzo, Lombardi, Moretti, D'Angelo, Dell'Orto, Niccolò, Cantù",
    ),
    words(
        Nordic,
        GivenFirst,
        "Åsa, Erik, Astrid, Søren, Ingrid, Lars, Freja, Magnus, Sigrid, Jón, Guðrún, Þóra, Bjørn, Øyvind, Kjersti, \
         Mikkel, Anneli, Göran, Håkan, Aino, Väinö, Päivi, Gunnar, Maja, Nils, Ragnhild, Torbjørn, Linnéa, Rasmus",
        "Andersson, Johansson, Karlsson, Nilsson, Hansen, Jensen, Nielsen, Sørensen, Jørgensen, Ødegård, Bakken, \
         Haugen, Lindström, Bergström, Lindqvist, Sandberg, Åkesson, Öberg, Nygård, Kjær, Møller, Ørsted-Holm, \
         Virtanen, Korhonen, Mäkinen, Hämäläinen, Þórsdóttir, Jónsson, Strandberg, Ekdahl, Hedlund, Ångman",
    ),
    words(
        Polish,
        GivenFirst,
        "Łukasz, Agnieszka, Paweł, Małgorzata, Michał, Katarzyna, Piotr, Joanna, Grzegorz, Zofia, Stanisław, \
         Bożena, Józef, Kinga, Wojciech, Żaneta, Błażej, Aleksandra, Tomasz, Ewa",
        "Nowak, Kowalczyk, Wiśniewski, Wójcik, Kamiński, Lewandowski, Zieliński, Szymański, Woźniak, Dąbrowski, \
         Kozłowski, Mazur, Jabłoński, Krawczyk, Piotrowski, Grabowski, Pawłowski, Żak, Łuczak, Śliwa, \
         Nowicka-Król, Gołębiewski",
    ),
    words(
        Czech,
        GivenFirst,
        "Jiří, Kateřina, Tomáš, Eliška, Ondřej, Tereza, Vojtěch, Lucie, Matěj, Šárka, Luboš, Žofie, Štěpán, \
         Zdeňka, Ľubica, Andrej",
        "Novák, Svoboda, Novotný, Dvořák, Černý, Procházka, Kučera, Veselý, Horák, Němec, Pokorný, Růžička, \
         Šťastný, Křížová, Beneš, Hájková, Žáček, Ďurica",
    ),
    words(
        Romanian,
        GivenFirst,
        "Andrei, Ioana, Ștefan, Mihaela, Răzvan, Cătălina, Ionuț, Ana-Maria, Bogdan, Ilinca, Dragoș, Oana, \
         Gheorghe, Simona",
        "Popescu, Ionescu, Popa, Radu, Dumitru, Stan, Stoica, Gheorghe, Matei, Ciobanu, Rusu, Munteanu, Țurcanu, \
         Bălan, Șerban, Enăchescu",
    ),
    words(
        Turkish,
        GivenFirst,
        "Mehmet, Ayşe, Mustafa, Fatma, Ahmet, Zeynep, Çağrı, Gülşen, İbrahim, Özge, Uğur, Şule, Ömer, Ebru, Işıl, \
         Kıvanç, Tuğba, Barış",
        "Yılmaz, Kaya, Demir, Şahin, Çelik, Yıldız, Yıldırım, Öztürk, Aydın, Özdemir, Arslan, Doğan, Kılıç, \
         Aslan, Çetin, Koç, Kurt, Özkan, Şimşek, Irmak",
    ),
    words(
        Russian,
        GivenFirst,
        "Александр, Мария, Дмитрий, Анна, Сергей, Екатерина, Алексей, Ольга, Андрей, Наталья, Пётр, Алёна, \
         Николай, Юлия, Фёдор, Татьяна, Игорь, Ксения",
        "Петренко, Кравчук, Шевчук, Бойко, Соболь, Мороз, Черных, Седых, Гончар, Литвин, Павленко, Королюк, \
         Савченко, Белых, Журавель, Щерба, Ткач, Воробей",
    ),
    words(
        Ukrainian,
        GivenFirst,
        "Олександр, Оксана, Тарас, Наталія, Богдан, Соломія, Андрій, Ірина, Юрій, Леся, Єва, Ярослав, Зоряна, \
         Гліб, Їванна",
        "Шевченко, Коваленко, Бондаренко, Ткаченко, Кравченко, Олійник, Лисенко, Поліщук, Мельник, Гаврилюк, \
         Єфименко, Ґалаґан, Яковенко, Дзюба",
    ),
    words(
        Slavic,
        GivenFirst,
        "Aleksandr, Mariia, Dmitry, Oksana, Sergei, Nataliya, Andrii, Olga, Bohdan, Iryna, Marko, Jelena, Nikola, \
         Đorđe, Snežana, Željko, Tijana, Krešimir, Iva, Vesna",
        "Shevchenko, Kovalenko, Petrenko, Bondarenko, Melnyk, Tkachenko, Jovanović, Petrović, Nikolić, Horvat, \
         Đurić, Kovačević, Babić, Marić, Živković, Novak, Šarić, Popović",
    ),
    words(
        Greek,
        GivenFirst,
        "Γιώργος, Μαρία, Δημήτρης, Ελένη, Κωνσταντίνος, Αικατερίνη, Νίκος, Βασιλική, Γιάννης, Σοφία, Παναγιώτης, \
         Αγγελική, Ιωάννα, Σπύρος",
        "Παπαδόπουλος, Νικολαΐδης, Γεωργίου, Δημητρίου, Παπαδάκη, Οικονόμου, Βλάχος, Αγγελόπουλος, Μακρής, \
         Κωνσταντινίδης, Αθανασίου, Καραγιάννης, Ζαχαριάδη",
    ),
    words(
        Arabic,
        GivenFirst,
        "محمد, فاطمة, أحمد, عائشة, علي, مريم, عمر, ليلى, خالد, نور, يوسف, زينب, حسن, سلمى, إبراهيم, هدى",
        "الأحمد, الحسن, العلي, الخطيب, النجار, الحداد, المصري, الشامي, بن سعيد, السيد, منصور, حمدان, درويش, عبد الله",
    ),
    words(
        Levantine,
        GivenFirst,
        "Mohammed, Fatima, Ahmed, Aisha, Omar, Layla, Khalid, Nour, Youssef, Zeinab, Hassan, Salma, Karim, \
         Abd al-Rahman, Rania, Tariq",
        "Al-Masri, Haddad, Khoury, El Sayed, Mansour, Darwish, Al Fayed, Nasser, Khalil, Ben Saïd, Najjar, Aziz, \
         Saleh, Al-Rashid",
    ),
    words(
        Hebrew,
        GivenFirst,
        "נועם, תמר, איתן, מאיה, יונתן, שירה, דניאל, נועה, אורי, יעל, עידו, רוני, גלעד, מיכל",
        "כהן, לוי, מזרחי, פרץ, ביטון, דהן, אברהם, פרידמן, מלכה, אזולאי, בן דוד, גבאי, שפירא",
    ),
    words(
        Israeli,
        GivenFirst,
        "Noam, Tamar, Eitan, Maya, Yonatan, Shira, Ori, Noa, Ido, Yael, Gilad, Michal, Amit, Roni",
        "Cohen, Levi, Mizrahi, Peretz, Biton, Friedman, Azulay, Ben-David, Gabay, Shapira, Bar-Lev, Katz",
    ),
    words(
        Devanagari,
        GivenFirst,
        "आरव, अनन्या, विवान, दीया, अर्जुन, प्रिया, राहुल, सुनीता, अमित, कविता, संजय, नेहा, विकास, पूजा",
        "शर्मा, वर्मा, गुप्ता, सिंह, कुमार, पाटिल, जोशी, मिश्रा, यादव, अग्रवाल, त्रिपाठी, देशपांडे",
    ),
    words(
        Indian,
        GivenFirst,
        "Aarav, Ananya, Vivaan, Diya, Arjun, Priya, Rahul, Sunita, Amit, Kavita, Sanjay, Neha, Vikram, Pooja, \
         Lakshmi, Karthik, Meenakshi, Harpreet, Suresh, Deepa, Siddharth, Nandini",
        "Sharma, Verma, Gupta, Singh, Kumar, Patel, Joshi, Mishra, Yadav, Agarwal, Iyer, Nair, Reddy, Rao, \
         Chatterjee, Mukherjee, Banerjee, Desai, Kaur, Menon, Pillai, Venkatasubramanian",
    ),
    words(
        Chinese,
        Joined,
        "伟, 芳, 娜, 敏, 静, 强, 磊, 洋, 艳, 杰, 娟, 涛, 明, 超, 秀英, 霞, 平, 刚, 桂英, 文博, 子涵, 雨桐, 志远, 思琪",
        "王, 李, 张, 刘, 陈, 杨, 黄, 赵, 吴, 周, 徐, 孙, 马, 朱, 胡, 林, 郭, 何, 高, 罗, 欧阳, 司马",
    ),
    words(
        Pinyin,
        GivenFirst,
        "Wei, Fang, Na, Min, Jing, Qiang, Lei, Yang, Yan, Jie, Juan, Tao, Ming, Chao, Xiuying, Xia, Zihan, Yutong, \
         Zhiyuan, Siqi, Lǚ, Kevin, Vivian",
        "Wang, Li, Zhang, Liu, Chen, Yang, Huang, Zhao, Wu, Zhou, Xu, Sun, Ma, Zhu, Hu, Lin, Guo, He, Gao, Luo, \
         Ouyang, Lü",
    ),
    words(
        Japanese,
        FamilyFirst,
        "陽翔, 結衣, 蓮, 陽菜, 大輔, 美咲, 健太, さくら, 拓也, ひなた, 翔太, 葵, 直樹, 恵子, ケン, マリ",
        "佐藤, 鈴木, 高橋, 田中, 伊藤, 渡辺, 山本, 中村, 小林, 加藤, 吉田, 山田, 佐々木, 髙木, 渡邉, 松本",
    ),
    words(
        Romaji,
        GivenFirst,
        "Haruto, Yui, Ren, Hina, Daisuke, Misaki, Kenta, Sakura, Takuya, Hinata, Shōta, Aoi, Naoki, Keiko, \
         Jun'ichi, Yūko",
        "Satō, Suzuki, Takahashi, Tanaka, Itō, Watanabe, Yamamoto, Nakamura, Kobayashi, Katō, Yoshida, Yamada, \
         Sasaki, Matsumoto, Ōno, Kurosawa",
    ),
    words(
        Korean,
        Joined,
        "민준, 서연, 서준, 지우, 도윤, 하은, 지훈, 수빈, 현우, 지민, 영희, 철수, 은정, 성호, 미경, 태현",
        "김, 이, 박, 최, 정, 강, 조, 윤, 장, 임, 한, 오, 서, 신, 남궁",
    ),
    words(
        Vietnamese,
        FamilyFirst,
        "Văn An, Thị Mai, Minh Đức, Thu Hà, Quốc Huy, Ngọc Lan, Hữu Phước, Thanh Thảo, Đình Khôi, Bảo Châu, \
         Tuấn Kiệt, Phương Linh, Xuân Trường, Kim Oanh",
        "Nguyễn, Trần, Lê, Phạm, Huỳnh, Hoàng, Phan, Vũ, Võ, Đặng, Bùi, Đỗ, Hồ, Ngô, Dương, Lý",
    ),
    words(
        Nigerian,
        GivenFirst,
        "Chinedu, Ngozi, Olúwaṣeun, Adébáyọ̀, Funmilayo, Emeka, Amina, Tunde, Ìfẹ́olúwa, Chiamaka, Yusuf, Zainab, \
         Obinna, Folake",
        "Okafor, Adeyemi, Balogun, Okonkwo, Eze, Ọláníyan, Abubakar, Nwosu, Adébáyò, Ibrahim, Onyekachi, \
         Ogunleye, Bello, Uche-Okoro",
    ),
    words(
        Kenyan,
        GivenFirst,
        "Wanjiru, Kamau, Achieng, Otieno, Njeri, Mwangi, Akinyi, Kiprop, Wambui, Barasa, Chebet, Juma",
        "Kariuki, Odhiambo, Mutua, Kimani, Wekesa, Cheruiyot, Njoroge, Onyango, Ng'ang'a, Muthoni, Kiplagat, \
         Ochieng'",
    ),
];
